// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.ElementView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.spi.CollectiveListener;
import coterie.spi.FaceSupport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What listeners of a PE's collectives learn.
class CollectiveListenerTest {
    private static final int PES = 2;

    private final LocalJob job = new LocalJob(PES);

    @AfterEach
    void close() {
        job.close();
    }

    /// Notes all that it learns.
    private static final class Notes implements CollectiveListener {
        private final List<String> collectives = new ArrayList<>();
        private final List<String> allocations = new ArrayList<>();
        private final List<String> accesses = new ArrayList<>();

        @Override
        public void beforeCollective(String operation) {
            collectives.add(operation);
        }

        @Override
        public void beforeAllocation(String operation) {
            allocations.add(operation);
        }

        @Override
        public void beforeAccess(String operation, ElementView elements, long index, long count) {
            accesses.add(operation + " of " + count + " from " + index);
        }
    }

    @Test
    @DisplayName("a listener learns of each collective and allocation once, before it begins, whatever rounds it takes")
    void learns() {
        job.run(world -> {
            Notes notes = new Notes();
            FaceSupport.of(world).addCollectiveListener(notes);
            SymmetricMemory memory = world.allocate(64 * Long.BYTES);
            SymmetricMemory more = memory.reallocate(128 * Long.BYTES);
            Team team = world.team();
            LongView longs = more.longs();
            team.barrier();
            team.sync();
            team.broadcast(longs, 0, longs, 8, 4, 0);
            team.allReduce(Reduction.SUM, 1);
            team.allReduce(Reduction.SUM, longs, 16, longs, 24, 4);
            team.allGather(longs, 32, longs, 0, 4);
            Team both = team.duplicate();
            both.barrier();
            both.close();
            more.free();
            assertThat(notes.allocations).containsExactly("allocate", "reallocate", "close of symmetric memory");
            assertThat(notes.collectives)
                    .containsExactly(
                            "barrier",
                            "sync",
                            "broadcast",
                            "allReduce",
                            "allReduce",
                            "allGather",
                            "duplicate",
                            "barrier");
            assertThat(notes.accesses)
                    .containsExactly(
                            "broadcast of 4 from 8",
                            "broadcast of 4 from 0",
                            "allReduce of 4 from 24",
                            "allReduce of 4 from 16",
                            "allGather of 4 from 0",
                            "allGather of 8 from 32");
        });
    }

    @Test
    @DisplayName("one-sided operations and requests are none of its business, and the other PE's calls neither")
    void others() {
        job.run(world -> {
            SymmetricMemory memory = world.allocate(64 * Long.BYTES);
            LongView longs = memory.longs();
            Notes notes = new Notes();
            if (world.pe() == 0) {
                FaceSupport.of(world).addCollectiveListener(notes);
            }
            longs.put(0, 1, 1 - world.pe());
            world.context().quiet();
            try (var request = world.team()
                    .prepare(Collective.allReduce(Reduction.SUM)
                            .source(longs, 8, 1)
                            .target(longs, 9, 1))) {
                request.post();
                request.await();
            }
            assertThat(notes.collectives).doesNotContain("allReduce");
            assertThat(notes.accesses).isEmpty();
            notes.collectives.clear();
            world.team().barrier();
            assertThat(notes.collectives).hasSize(world.pe() == 0 ? 1 : 0);
        });
    }

    @Test
    @DisplayName("each registration ends at its own close, also of a listener that has two, and a second close does"
            + " nothing")
    void registrations() {
        job.run(world -> {
            Notes notes = new Notes();
            CollectiveListener.Registration first = FaceSupport.of(world).addCollectiveListener(notes);
            CollectiveListener.Registration second = FaceSupport.of(world).addCollectiveListener(notes);
            barrier(world);
            assertThat(notes.collectives).hasSize(2);
            first.close();
            first.close();
            barrier(world);
            assertThat(notes.collectives).hasSize(3);
            second.close();
            barrier(world);
            assertThat(notes.collectives).hasSize(3);
        });
    }

    private static void barrier(World world) {
        world.team().barrier();
    }

    @Test
    @DisplayName("what a listener throws, the call throws, and the team goes on once all members call again")
    void refuses() {
        job.run(world -> {
            SymmetricMemory memory = world.allocate(64 * Long.BYTES);
            LongView longs = memory.longs();
            CollectiveListener refusing = new CollectiveListener() {
                @Override
                public void beforeCollective(String operation) {
                    if (operation.equals("barrier")) {
                        throw new UnsupportedOperationException(operation);
                    }
                }

                @Override
                public void beforeAllocation(String operation) {
                    throw new UnsupportedOperationException(operation);
                }

                @Override
                public void beforeAccess(String operation, ElementView elements, long index, long count) {
                    throw new UnsupportedOperationException(operation + " of " + count);
                }
            };
            try (var listening = FaceSupport.of(world).addCollectiveListener(refusing)) {
                assertThat(listening).isNotNull();
                assertThatThrownBy(() -> barrier(world))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("barrier");
                assertThatThrownBy(() -> world.allocate(8))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("allocate");
                assertThatThrownBy(() -> world.team().allGather(longs, 8, longs, 0, 4))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("allGather of 4");
            }
            barrier(world);
            assertThat(world.team().allReduce(Reduction.SUM, 1)).isEqualTo(PES);
            memory.close();
        });
    }
}
