// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// A close of a coarray or a team ends its use on one image, and waits for no other.
class CoarrayCloseTest {

    @SpmdTest(
            pes = {2, 3},
            modes = SpmdMode.THREADS)
    @DisplayName("an exception gets out of try blocks of coarrays and teams on its image, while the others wait for it")
    void exceptionGetsOut(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            ImageTeam team = all.form(1);
            TeamBody<RuntimeException> body = inner -> {
                try (LongCoarrays a = new LongCoarrays(inner);
                        ImageTeam nested = team.form(1);
                        IntegerCoarray b = inner.allocateInts(4)) {
                    nested.sync();
                    if (team.thisImage() == 1) {
                        throw new IllegalStateException("leaves " + a.count() + " and " + b.length());
                    }
                    team.sync();
                }
            };
            if (all.thisImage() == 1) {
                assertThatThrownBy(() -> team.run(body))
                        .hasMessage("leaves 3 and 4")
                        .hasNoSuppressedExceptions();
            } else {
                assertThatThrownBy(() -> team.run(body)).isInstanceOf(TeamAbandonedException.class);
            }
            team.close();
            all.sync();
        });
    }

    /// Some coarrays as one resource, which closes them in the order of their allocation on odd images.
    private static final class LongCoarrays implements AutoCloseable {
        private final List<IntegerCoarray> coarrays = new ArrayList<>();

        LongCoarrays(TeamScope scope) {
            IntStream.range(0, 3).forEach(_ -> coarrays.add(scope.allocateLongs(2)));
        }

        int count() {
            return coarrays.size();
        }

        @Override
        public void close() {
            List<IntegerCoarray> order = Images.thisImage() % 2 == 1 ? coarrays : coarrays.reversed();
            order.forEach(IntegerCoarray::close);
        }
    }

    @SpmdTest(
            pes = {2, 3},
            modes = SpmdMode.THREADS)
    @DisplayName("after its own close an image may not use a coarray, and the others may, also the closer's part")
    void othersGoOn(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            IntegerCoarray a = scope.allocateLongs(1);
            IntegerCoarray view = a.in(all);
            AtomicInteger released = new AtomicInteger();
            a.onRelease(released::incrementAndGet);
            a.set(0, me);
            all.sync();
            if (me == 1) {
                view.close();
                a.close();
                assertThat(released).hasValue(1);
                for (IntegerCoarray each : List.of(a, view)) {
                    assertThatThrownBy(() -> each.get(0, 2))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("is freed");
                }
                assertThatThrownBy(() -> scope.deallocate(a)).isInstanceOf(IllegalStateException.class);
            }
            all.sync();
            if (me != 1) {
                assertThat(a.get(0, 1)).isEqualTo(1);
                a.put(0, 7, 1);
                assertThat(a.get(0, 1)).isEqualTo(7);
                assertThat(released).hasValue(0);
            }
            all.sync();
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 120)
    @DisplayName("memory of closed coarrays is used again: many times the heap in turns, closed in different orders")
    void memoryIsUsedAgain(World world) {
        Images.run(world, scope -> {
            long count = world.heapStatistics().byteSize() / Long.BYTES / 8;
            for (int round = 0; round < 40; round++) {
                IntegerCoarray a = scope.allocateLongs(count);
                IntegerCoarray b = scope.allocateLongs(count);
                (Images.thisImage() == 1 ? a : b).close();
                (Images.thisImage() == 1 ? b : a).close();
            }
            long used = world.heapStatistics().usedBytes();
            for (int round = 0; round < 600; round++) { // more than an image can have teams
                try (ImageTeam team = scope.team().form(1)) {
                    team.run(inner -> inner.allocateLongs(count / 4));
                }
            }
            assertThat(world.heapStatistics().usedBytes()).isEqualTo(used);
        });
    }

    @SpmdTest(pes = 3, modes = SpmdMode.THREADS)
    @DisplayName("a statement that waits for an image which has closed the team is a fault that names the image")
    void closedTeamIsNamed(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            all.form(1).run(inner -> {
                ImageTeam team = ImageTeam.current().form(1);
                if (all.thisImage() == 2) {
                    team.close();
                    assertThatThrownBy(team::sync)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("is closed");
                } else {
                    for (Outcome each : List.of(
                            team.trySync(), team.trySync(), outcome(() -> team.sum(1L)), team.tryRun(_ -> {}))) {
                        assertThat(each)
                                .isEqualTo(new Outcome.Fault(
                                        Outcome.Fault.MISMATCH, "image 2 has closed the team, and never comes to it"));
                    }
                }
            });
            all.sync();
        });
    }

    private static Outcome outcome(Runnable statement) {
        try {
            statement.run();
            return Outcome.Ok.DONE;
        } catch (CollectiveMismatchException e) {
            return new Outcome.Fault(
                    Outcome.Fault.MISMATCH, String.valueOf(e.getMessage()).replaceFirst("^sum in [^:]*: ", ""));
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("a close with a collective under way throws and leaves all as it was; after its end it closes")
    void underWay(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            ImageTeam team = all.form(1);
            DoubleCoarray a = scope.allocateDoubles(4);
            if (all.thisImage() == 1) {
                Completion sum = team.sumAsync(a, 0, 4); // image 2 begins it after the sync
                assertThatThrownBy(a::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is under way");
                assertThatThrownBy(team::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is under way");
                all.sync();
                sum.await();
            } else {
                all.sync();
                team.sumAsync(a, 0, 4).await();
            }
            a.close();
            team.close();
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("the end of a scope is right whatever its images have closed by themselves")
    void endOfScope(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            for (int mask = 0; mask < 8; mask++) {
                int bits = all.thisImage() == 1 ? mask : 7 - mask;
                ImageTeam team = all.form(1);
                List<Completion> begun = new ArrayList<>();
                Outcome end = team.tryRun(inner -> {
                    IntegerCoarray a = inner.allocateLongs(3);
                    IntegerCoarray b = inner.allocateLongs(3);
                    ImageTeam child = team.form(1);
                    begun.add(child.sumAsync(a, 0, 3));
                    begun.getFirst().await();
                    if ((bits & 1) != 0) {
                        a.close();
                    }
                    if ((bits & 2) != 0) {
                        b.close();
                    }
                    if ((bits & 4) != 0) {
                        child.close();
                    }
                });
                assertThat(end).isEqualTo(Outcome.Ok.DONE);
                assertThat(begun).allMatch(Completion::isDone);
                team.close();
            }
            all.sync();
        });
    }

    private static final class Left extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @SpmdTest(pes = 3, modes = SpmdMode.THREADS, timeoutSeconds = 120)
    @DisplayName("random programs of nested try blocks, in which an image throws somewhere, end on all images")
    void randomPrograms(World world) {
        int programs = Boolean.getBoolean("coterie.soak") ? 5_000 : 30;
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            for (int seed = 0; seed < programs; seed++) {
                Random random = new Random(seed);
                boolean isMine = all.thisImage() == 1 + random.nextInt(3);
                int place = random.nextInt(20);
                AtomicInteger steps = new AtomicInteger();
                Runnable step = () -> {
                    if (steps.getAndIncrement() == place && isMine) {
                        throw new Left();
                    }
                };
                Throwable ended = null;
                try (ImageTeam team = all.form(1)) {
                    team.run(inner -> nested(inner, random, 3, step));
                } catch (Left | StatementException | CollectiveMismatchException e) {
                    ended = e;
                }
                boolean isReached = all.max((long) steps.get()) > place;
                if (!isReached) {
                    assertThat(ended).as("program %d", seed).isNull();
                } else if (isMine) {
                    assertThat(ended).as("program %d", seed).isInstanceOf(Left.class);
                } else {
                    assertThat(ended) // the other has left, or closed
                            .as("program %d", seed)
                            .isInstanceOfAny(StatementException.class, CollectiveMismatchException.class);
                }
            }
        });
    }

    private static void nested(TeamScope scope, Random random, int depth, Runnable step) {
        int statements = 1 + random.nextInt(3);
        for (int i = 0; i < statements; i++) {
            step.run();
            switch (random.nextInt(depth == 0 ? 2 : 4)) {
                case 0 -> scope.team().sync();
                case 1 -> {
                    try (IntegerCoarray a = scope.allocateLongs(1 + random.nextInt(5))) {
                        step.run();
                        a.put(0, scope.team().sum(7L), 1);
                    }
                }
                case 2 -> {
                    try (DoubleCoarray a = scope.allocateDoubles(Shape.of(2, 2))) {
                        nested(scope, random, depth - 1, step);
                        a.set(3, a.get(0, 1));
                    }
                }
                default -> {
                    try (ImageTeam child = scope.team().form(1)) {
                        step.run();
                        child.run(inner -> nested(inner, random, depth - 1, step));
                    }
                }
            }
        }
    }
}
