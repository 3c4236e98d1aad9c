// SPDX-License-Identifier: Apache-2.0
package neighbours;

import static org.junit.jupiter.api.Assertions.assertEquals;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;

class NeighbourSumTest {
    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    void allNumbersArrive(World world) {
        assertEquals(201, NeighbourSum.sum(world));
    }
}
