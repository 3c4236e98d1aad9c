// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("a collective that the program has begun and not waited for")
class PendingCollectivesTest {
    private static final int ELEMENTS = 1 << 14;

    /// Gives all elements a value, and sees at the release that they have got another one.
    private static DoubleCoarray filled(TeamScope scope, double value, double expected, List<Double> seen) {
        DoubleCoarray a = scope.allocateDoubles(ELEMENTS);
        for (int i = 0; i < ELEMENTS; i++) {
            a.set(i, value);
        }
        a.onRelease(() -> {
            for (int i = 0; i < ELEMENTS; i++) {
                if (a.get(i) != expected) {
                    seen.add(a.get(i));
                    return;
                }
            }
            seen.add(expected);
        });
        return a;
    }

    @SpmdTest(
            pes = {2, 3},
            modes = SpmdMode.THREADS)
    @DisplayName("is complete at the end of its team, before the coarrays are released")
    void endOfTeam(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            int sum = Images.numImages() * (Images.numImages() + 1) / 2;
            long used = world.heapStatistics().usedBytes();
            for (int round = 0; round < 5; round++) {
                ImageTeam team = scope.team().form(1);
                List<Completion> begun = new ArrayList<>();
                List<Double> seen = new ArrayList<>();
                Outcome end = team.tryRun(inner -> {
                    begun.add(team.sumAsync(filled(inner, me, sum, seen), 0, ELEMENTS));
                    begun.add(team.broadcastAsync(filled(inner, me, 2, seen), 0, ELEMENTS, 2));
                });
                assertThat(end).isEqualTo(Outcome.Ok.DONE);
                assertThat(seen).containsExactly(2.0, (double) sum);
                assertThat(begun).allMatch(Completion::isDone);
                begun.forEach(Completion::await);
                team.close();
                assertThat(world.heapStatistics().usedBytes()).isEqualTo(used);
            }
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("is complete when its coarray is freed, also one of a team that was formed in the current one")
    void deallocate(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            ImageTeam pair = scope.team().form(1);
            for (ImageTeam team : List.of(scope.team(), pair)) {
                List<Double> seen = new ArrayList<>();
                DoubleCoarray a = filled(scope, me, 3, seen);
                Completion sum = team.sumAsync(a, 0, ELEMENTS);
                assertThat(scope.tryDeallocate(a)).isEqualTo(Outcome.Ok.DONE);
                assertThat(seen).containsExactly(3.0);
                assertThat(sum.isDone()).isTrue();
                assertThat(sum.tryAwait()).isEqualTo(Outcome.Ok.DONE);
            }
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("is complete at the end of the scope in which its team was formed, also if the program has closed another one")
    void close(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            List<Double> seen = new ArrayList<>();
            ImageTeam outer = scope.team().form(1);
            List<Completion> begun = new ArrayList<>();
            outer.run(inner -> {
                DoubleCoarray a = filled(inner, me, 3, seen);
                ImageTeam closed = outer.form(1);
                begun.add(closed.sumAsync(a, 0, ELEMENTS));
                begun.getFirst().await();
                closed.close();
                begun.add(outer.form(2).sumAsync(filled(inner, me, 3, seen), 0, ELEMENTS));
            });
            assertThat(seen).containsExactly(3.0, 3.0);
            assertThat(begun).allMatch(each -> each.tryAwait().isOk());
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("is complete at the end of the program, before the release callbacks")
    void endOfProgram(World world) {
        List<Double> seen = new ArrayList<>();
        List<Completion> begun = new ArrayList<>();
        assertThat(Images.run(world, scope -> {
                    int me = Images.thisImage();
                    begun.add(scope.team().sumAsync(filled(scope, me, 3, seen), 0, ELEMENTS));
                    begun.add(scope.team().form(1).sumAsync(filled(scope, me, 3, seen), 0, ELEMENTS));
                }))
                .isZero();
        assertThat(seen).containsExactly(3.0, 3.0);
        assertThat(begun).allMatch(each -> each.isDone() && each.tryAwait().isOk());
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("does not hang the end of a program in which only one image has begun it")
    void endOfWrongProgram(World world) {
        List<Completion> begun = new ArrayList<>();
        Images.run(world, scope -> {
            DoubleCoarray a = scope.allocateDoubles(1);
            if (Images.thisImage() == 1) {
                begun.add(scope.team().sumAsync(a, 0, 1));
            }
        });
        assertThat(begun).allMatch(each -> each.isDone() && each.tryAwait() instanceof Outcome.Stopped);
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("of a parent takes no coarray of a team inside, which ends before it")
    void coarrayOfChild(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            all.form(1).run(inner -> {
                DoubleCoarray a = inner.allocateDoubles(1);
                assertThatThrownBy(() -> all.sumAsync(a, 0, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("sum on image " + all.thisImage())
                        .hasMessageContaining("could end before a collective of initial");
                all.sum(a, 0, 1);
            });
            all.sync();
        });
    }

    @SpmdTest(pes = 3, modes = SpmdMode.THREADS)
    @DisplayName("ends with the team that an image has abandoned, on all images")
    void abandoned(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            ImageTeam team = all.form(1);
            List<Completion> begun = new ArrayList<>();
            DoubleCoarray a = scope.allocateDoubles(1);
            TeamBody<RuntimeException> body = _ -> {
                team.sync();
                if (me != 2) {
                    begun.add(team.sumAsync(a, 0, 1));
                } else {
                    throw new IllegalStateException("leaves");
                }
            };
            if (me == 2) {
                assertThatThrownBy(() -> team.run(body)).hasMessage("leaves");
            } else {
                assertThat(team.tryRun(body)).isInstanceOf(Outcome.Abandoned.class);
            }
            assertThat(begun).allMatch(each -> each.isDone() && each.tryAwait() instanceof Outcome.Abandoned);
            team.close();
            all.sync();
            scope.deallocate(a);
        });
    }
}
