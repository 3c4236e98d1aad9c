// SPDX-License-Identifier: Apache-2.0
package ringsum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import coterie.World;
import coterie.junit.SpmdTest;

class RingSumTest {
    @SpmdTest
    void numbersOfTwo(World world) {
        assertEquals(201, world.team().sum(100L + world.pe()));
    }
}
