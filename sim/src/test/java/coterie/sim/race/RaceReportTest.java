// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.sim.RaceException;
import coterie.sim.network.OperationObserver.Kind;
import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /// What PE 0 does first, and PE 1 then, to the same 8 bytes of PE 0's heap or PE 1's.
    enum Pair {
        OWN_PUT_THEN_GET("call quiet and then signal PE 1") {
            @Override
            RaceScenario.Operation first(RaceScenario job) {
                return job.put(0, 0, 256, 8);
            }

            @Override
            void second(RaceScenario job) {
                job.get(1, 0, 256, 8);
            }
        },
        GET_UNDER_WAY_THEN_WRITE("call quiet and then signal PE 1") {
            @Override
            RaceScenario.Operation first(RaceScenario job) {
                return job.get(0, 1, 256, 8);
            }

            @Override
            void second(RaceScenario job) {
                job.write(1, 256, 8);
            }
        },
        PUT_THEN_READ("put with a signal") {
            @Override
            RaceScenario.Operation first(RaceScenario job) {
                return job.put(0, 1, 256, 8);
            }

            @Override
            void second(RaceScenario job) {
                job.read(1, 256, 8);
            }
        },
        WRITE_THEN_GET("a collective such as sync") {
            @Override
            RaceScenario.@Nullable Operation first(RaceScenario job) {
                job.write(0, 256, 8);
                return null;
            }

            @Override
            void second(RaceScenario job) {
                job.get(1, 0, 256, 8);
            }
        },
        READ_THEN_PUT("or call a barrier between them") {
            @Override
            RaceScenario.@Nullable Operation first(RaceScenario job) {
                job.read(0, 256, 8);
                return null;
            }

            @Override
            void second(RaceScenario job) {
                job.put(1, 0, 256, 8);
            }
        };

        private final String remedy;

        Pair(String remedy) {
            this.remedy = remedy;
        }

        /// Returns what may be under way, or null.
        abstract RaceScenario.@Nullable Operation first(RaceScenario job);

        abstract void second(RaceScenario job);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "each remedy that the report names mends the program, and sync is named only where it does, for no put")
    void remediesWork(Pair pair) {
        RaceScenario racing = new RaceScenario(2);
        pair.first(racing);
        assertThatThrownBy(() -> pair.second(racing))
                .isInstanceOf(RaceException.class)
                .hasMessageContaining(pair.remedy)
                .message()
                .matches(text -> pair == Pair.WRITE_THEN_GET || !text.contains("such as sync"));

        RaceScenario synced = new RaceScenario(2);
        pair.first(synced);
        synced.sync();
        if (pair == Pair.WRITE_THEN_GET || pair == Pair.READ_THEN_PUT) {
            pair.second(synced);
        } else {
            assertThatThrownBy(() -> pair.second(synced)).hasMessageContaining("a barrier between them");
        }

        RaceScenario barred = new RaceScenario(2);
        complete(pair.first(barred));
        barred.barrier();
        pair.second(barred);

        RaceScenario signalled = new RaceScenario(2);
        complete(pair.first(signalled));
        signalled.quiet(0);
        signalled.putSignal(0, 1, 0, 0, 1024).lands().returns();
        signalled.observe(1, 1024);
        pair.second(signalled);
    }

    private static void complete(RaceScenario.@Nullable Operation operation) {
        if (operation != null) {
            operation.lands().returns();
        }
    }

    private void putsAtALine() {
        raceDetector.applied(raceDetector.started(0, 0, 1, Kind.PUT, Region.HEAP, 256, 14, 0), true);
    }
}
