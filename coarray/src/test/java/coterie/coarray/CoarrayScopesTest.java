// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.World;
import coterie.junit.SpmdTest;
import coterie.testing.SoakBound;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;

class CoarrayScopesTest {

    @SpmdTest(pes = 4)
    @DisplayName("CA-T16, CA-T18: the end of a scope frees its coarrays in the reverse order; later uses throw")
    void automaticDeallocation(World world) {
        Images.run(world, scope -> {
            ImageTeam team = scope.team().form(1 + Images.thisImage() % 2);
            long used = world.heapStatistics().usedBytes();
            List<Integer> released = new ArrayList<>();
            AtomicReference<IntegerCoarray> kept = new AtomicReference<>();
            AtomicReference<MemorySegment> local = new AtomicReference<>();
            team.run(inner -> {
                List<IntegerCoarray> arrays = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    int number = i;
                    IntegerCoarray each = inner.allocateLongs(100);
                    each.onRelease(() -> released.add(number));
                    arrays.add(each);
                }
                inner.deallocate(arrays.get(2), arrays.get(5), arrays.get(7));
                assertThat(released).containsExactly(2, 5, 7);
                assertThatThrownBy(() -> arrays.get(2).get(0, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("coarray of 100 LONG of " + team + " is freed");
                ImageTeam alone = team.form(Images.thisImage());
                alone.run(empty -> {});
                assertThat(released).hasSize(3);
                kept.set(arrays.get(0));
                local.set(arrays.get(0).local());
                local.get().set(ValueLayout.JAVA_LONG, 0, 1);
            });
            assertThat(released).containsExactly(2, 5, 7, 9, 8, 6, 4, 3, 1, 0);
            assertThat(world.heapStatistics().usedBytes()).isEqualTo(used);
            assertThatThrownBy(() -> kept.get().get(0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(team.toString());
            assertThatThrownBy(() -> local.get().get(ValueLayout.JAVA_LONG, 0))
                    .isInstanceOf(IllegalStateException.class);
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-T27: an exception that leaves a body abandons its team within 1 s, and the parent goes on")
    void abandoned(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            IntegerCoarray thrownAt = scope.allocateLongs(1).in(scope.team());
            ImageTeam team = scope.team().form(1 + me % 2);
            if (me == 1) {
                thrownAt.put(0, SoakBound.now(), 3);
                Images.syncMemory();
                assertThatThrownBy(() -> team.run(inner -> {
                            throw new java.io.IOException("no input");
                        }))
                        .isInstanceOf(java.io.IOException.class)
                        .hasNoSuppressedExceptions();
                assertThat(team.trySync()).isInstanceOf(Outcome.Abandoned.class);
            } else if (me == 3) {
                Outcome expected = new Outcome.Abandoned(1, "java.io.IOException: no input");
                Outcome end = team.tryRun(inner -> {
                    assertThat(inner.outcome()).isEqualTo(Outcome.Ok.DONE);
                    assertThat(team.trySync()).isEqualTo(expected);
                    SoakBound.assertWithin("the end of the team", Duration.ofSeconds(1), thrownAt.get(0));
                    assertThat(team.tryForm(1)).isEqualTo(new TeamFormation.Refused(expected, ImageSet.EMPTY));
                    assertThatThrownBy(() -> inner.allocateLongs(1)).isInstanceOf(TeamAbandonedException.class);
                });
                assertThat(end).isEqualTo(expected);
            } else {
                team.run(inner -> {});
            }
            scope.team().sync();
            assertThat(scope.team().sum((long) me)).isEqualTo(10);
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("CA-T28: a return from the body is the end of the team")
    void earlyReturn(World world) {
        Images.run(world, scope -> {
            ImageTeam team = scope.team().form(1);
            int result = team.call(inner -> {
                if (Images.thisImage() == 1) {
                    return 1;
                }
                return 2;
            });
            assertThat(result).isEqualTo(Images.thisImage());
            scope.team().sync();
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("CA-T29: a thread that a body starts has no current team; it names one")
    void threadsHaveNoTeam(World world) throws InterruptedException {
        Images.run(world, scope -> {
            IntegerCoarray a = scope.allocateLongs(1);
            IntegerCoarray explicit = a.in(scope.team());
            a.set(0, 7);
            scope.team().sync();
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            AtomicReference<Throwable> thrownByGet = new AtomicReference<>();
            AtomicReference<Throwable> thrownBySync = new AtomicReference<>();
            AtomicReference<Long> read = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                thrown.set(thrownBy(ImageTeam::current));
                thrownByGet.set(thrownBy(() -> a.get(0, 1)));
                thrownBySync.set(thrownBy(() -> scope.team().statements().sync(StatementKind.SYNC, scope.team())));
                read.set(explicit.get(0, 2));
            });
            thread.start();
            thread.join();
            assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("no current team");
            assertThat(thrownByGet.get()).isInstanceOf(IllegalStateException.class);
            assertThat(thrownBySync.get()).isInstanceOf(WrongThreadException.class);
            assertThat(read.get()).isEqualTo(7);
        });
    }

    private static Throwable thrownBy(Runnable code) {
        try {
            code.run();
            throw new AssertionError("it has thrown nothing");
        } catch (RuntimeException e) {
            return e;
        }
    }

    @SpmdTest(pes = 4, timeoutSeconds = 60)
    @DisplayName("CA-T30: 2000 teams, formed, entered and closed one after the other, take no memory")
    void manyTeams(World world) {
        Images.run(world, scope -> {
            long used = 0;
            for (int i = 0; i < 2000; i++) {
                ImageTeam team = scope.team().form(1 + (Images.thisImage() + i) % 2);
                team.run(inner -> {});
                team.close();
                if (i == 100) {
                    used = world.heapStatistics().usedBytes();
                }
            }
            assertThat(world.heapStatistics().usedBytes()).isEqualTo(used);
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("CA-M03: an image runs once at a time, and afterwards again")
    void runsOnce(World world) {
        for (int i = 0; i < 3; i++) {
            int code = Images.run(world, scope -> {
                assertThatThrownBy(() -> Images.run(world, never -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("runs initial already");
                assertThatThrownBy(() -> Images.run(never -> {})).isInstanceOf(IllegalStateException.class);
                scope.team().sync();
            });
            assertThat(code).isZero();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("CA-M01, CA-M02: an allocation is refused on all images, with the reason, and the next one works")
    void refusedAllocations(World world) {
        Images.run(world, scope -> {
            assertThatThrownBy(() -> scope.allocateBytes(500L << 40))
                    .isInstanceOf(StatementException.class)
                    .hasMessageContaining((500L << 40) + " bytes asked")
                    .hasMessageMatching(".*longest free part of the heap has [1-9]\\d* of [1-9]\\d*;.*--heap.*")
                    .satisfies(
                            e -> assertThat(((StatementException) e).outcome().code())
                                    .isEqualTo(Outcome.Fault.OUT_OF_MEMORY));
            assertThatThrownBy(() -> scope.allocateLongs(Images.thisImage()))
                    .isInstanceOf(CollectiveMismatchException.class);
            assertThat(scope.allocateLongs(3).length()).isEqualTo(3);
        });
    }
}
