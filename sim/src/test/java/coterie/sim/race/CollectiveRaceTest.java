// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.sim.RaceException;
import coterie.sim.SimJob;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// Whether a collective between a put and a read of its bytes orders them.
class CollectiveRaceTest {
    /// PE 0 puts, all PEs call the collective, PE 1 reads.
    private static Map<Integer, Throwable> putMeetRead(BiConsumer<Team, IntegerView> meet) {
        return SimJob.run(2, "", world -> {
                    try (SymmetricMemory memory = world.allocate(64)) {
                        LongView words = memory.longs();
                        if (world.pe() == 0) {
                            words.put(0, 42, 1);
                        }
                        meet.accept(world.team(), words);
                        if (world.pe() == 1) {
                            words.get(0);
                        }
                    }
                })
                .failures();
    }

    @Test
    void aDataCollectiveCompletesNothingThatWasPutBefore() {
        assertThat(putMeetRead((team, words) -> team.allReduce(Reduction.SUM, words, 4, words, 6, 2))
                        .get(1))
                .isInstanceOf(RaceException.class)
                .hasMessageContaining("races with a put of a word by PE 0");
    }

    @Test
    void aQuietBeforeItDoes() {
        assertThat(putMeetRead((team, words) -> {
                    words.context().quiet();
                    team.allReduce(Reduction.SUM, words, 4, words, 6, 2);
                }))
                .isEmpty();
    }

    @Test
    void soDoesABarrier() {
        assertThat(putMeetRead((team, words) -> team.barrier())).isEmpty();
    }
}
