// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.sim.RaceException;
import coterie.sim.network.OperationObserver.Kind;
import coterie.spi.Conduit.Region;
import org.junit.jupiter.api.Test;

/// The message of a race.
class RaceReportTest {
    private final RaceDetector raceDetector = new RaceDetector(2);

    @Test
    void namesBothOperationsTheBytesAndThePlaces() {
        putsAtALine();
        assertThatThrownBy(() -> raceDetector.observer(1).read(264, 8))
                .isInstanceOf(RaceException.class)
                .hasMessageStartingWith(
                        "read on PE 1: races with a put by PE 0 on 6 bytes at offset 264 of the heap of PE 1\n")
                .hasMessageContaining("read by PE 1 of 8 bytes at offset 264: at ")
                .hasMessageContaining("put by PE 0 of 14 bytes at offset 256: at ")
                .hasMessageContaining("RaceReportTest.putsAtALine(RaceReportTest.java:")
                .hasMessageContaining("RaceReportTest.lambda$namesBoth")
                .hasMessageContaining("no signal, fence, quiet, barrier or collective orders them; remedy: ")
                .hasMessageContaining("put with a signal");
    }

    @Test
    void namesTheFirstOfManyReadsOfOnesOwn() {
        for (int index = 0; index < 10; index++) {
            raceDetector.observer(1).read(256 + 8L * index, 8);
        }
        assertThatThrownBy(() -> raceDetector.started(0, 0, 1, Kind.PUT, Region.HEAP, 300, 2, 0))
                .isInstanceOf(RaceException.class)
                .hasMessageStartingWith(
                        "put on PE 0: races with a read by PE 1 on 2 bytes at offset 300 of the heap of PE 1\n")
                .hasMessageContaining("read by PE 1 of 8 bytes at offset 256, the first of its own heap since")
                .hasMessageContaining("RaceReportTest.namesTheFirstOfManyReadsOfOnesOwn(RaceReportTest.java:")
                .hasMessageContaining("let PE 1 signal that it has read");
    }

    private void putsAtALine() {
        raceDetector.applied(raceDetector.started(0, 0, 1, Kind.PUT, Region.HEAP, 256, 14, 0), true);
    }
}
