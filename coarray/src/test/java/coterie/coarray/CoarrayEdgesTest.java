// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.World;
import coterie.junit.SpmdTest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

class CoarrayEdgesTest {
    private static final Duration LONG = Duration.ofSeconds(15);

    @SpmdTest(pes = 3)
    @DisplayName("CA-T16: a release callback that throws stops neither the other callbacks nor the other images")
    void throwingCallbacks(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            List<String> released = new ArrayList<>();
            ImageTeam team = all.form(1);
            TeamBody<RuntimeException> body = inner -> {
                inner.allocateLongs(1).onRelease(() -> released.add("a"));
                IntegerCoarray b = inner.allocateLongs(1);
                b.onRelease(() -> released.add("b"));
                b.onRelease(() -> {
                    if (me == 1) {
                        throw new IllegalStateException("a callback throws");
                    }
                });
            };
            if (me == 1) {
                assertThatThrownBy(() -> team.run(body)).hasMessage("a callback throws");
            } else {
                team.run(body);
            }
            assertThat(released).containsExactly("b", "a");
            IntegerCoarray c = scope.allocateLongs(1);
            c.onRelease(() -> {
                if (me == 2) {
                    throw new IllegalStateException("another throws");
                }
            });
            IntegerCoarray d = scope.allocateLongs(1);
            d.onRelease(() -> released.add("d"));
            if (me == 2) {
                assertThatThrownBy(() -> scope.deallocate(c, d)).hasMessage("another throws");
            } else {
                scope.deallocate(c, d);
            }
            assertThat(released).containsExactly("b", "a", "d");
            all.sync();
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-T16: a callback at the end of a team reads its coarrays as its images number them")
    void callbacksInTheirScope(World world) {
        List<Object> seen = new ArrayList<>();
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            ImageTeam team = all.form(1 + all.thisImage() % 2);
            team.run(inner -> {
                IntegerCoarray a = inner.allocateLongs(1);
                a.set(0, all.thisImage());
                team.sync();
                a.onRelease(() -> seen.add(ImageTeam.current() + " " + a.get(0, 2)));
            });
            assertThat(seen).containsExactly(team + " " + (all.thisImage() % 2 == 0 ? 4 : 3));
            IntegerCoarray b = scope.allocateLongs(1);
            b.set(0, 5);
            b.onRelease(() -> seen.add(b.get(0, 1)));
            all.sync();
        });
        assertThat(seen).hasSize(2).contains(5L);
    }

    @SpmdTest(pes = 3)
    @DisplayName("CA-T27: waits for events and notifications end when an image abandons the team")
    void abandonedWaits(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            EventCoarray events = scope.allocateEvents(1);
            NotifyCoarray notifications = scope.allocateNotifications(1);
            for (int round = 0; round < 4; round++) {
                int way = round;
                ImageTeam team = all.form(1);
                try {
                    team.run(inner -> {
                        if (me == 1) {
                            throw new IOException("leaves");
                        } else if (way == 0) {
                            assertThatThrownBy(() -> events.await(0)).isInstanceOf(TeamAbandonedException.class);
                        } else if (way == 1) {
                            assertThatThrownBy(() -> notifications.await(0)).isInstanceOf(TeamAbandonedException.class);
                        } else {
                            ImageSet posters = way == 2 ? ImageSet.of(1) : ImageSet.EMPTY;
                            assertThat(events.tryAwait(0, 1, LONG, posters).code())
                                    .isEqualTo(Outcome.ABANDONED);
                            assertThat(notifications
                                            .tryAwait(0, 1, LONG, posters)
                                            .code())
                                    .isEqualTo(Outcome.ABANDONED);
                        }
                    });
                } catch (IOException | TeamAbandonedException e) {
                    assertThat(e).hasMessageContaining("leaves");
                }
                team.close();
                all.sync();
            }
        });
    }

    @SpmdTest(pes = 3)
    @DisplayName("CA-F06: a barrier that all images have reached is Ok, also if the team is revoked meanwhile")
    void revokedBarrier(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            ImageTeam team = all.form(1);
            all.sync(); // so that all have formed it
            if (all.thisImage() == 2) {
                team.team().revoke(); // as an image does that stops after the barrier, while another is at the next
            }
            assertThat(team.trySync()).isEqualTo(Outcome.Ok.DONE);
            all.sync();
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-T13: cosubscripts of the caller in an ancestor; the initial team has the number -1")
    void thisImageElsewhere(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            IntegerCoarray a = scope.allocateLongs(1);
            a.set(0, me);
            all.sync();
            assertThat(all.sibling(-1).numImages()).isEqualTo(4);
            ImageTeam team = all.form(1 + me % 2);
            team.run(inner -> {
                assertThat(a.thisImage()).containsExactly((me + 1) / 2);
                assertThat(a.in(all).thisImage()).containsExactly(me);
                assertThat(a.in(team.sibling(1 + me % 2)).thisImage()).containsExactly((me + 1) / 2);
                assertThatThrownBy(() -> a.in(team.sibling(2 - me % 2)).thisImage())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("no image of sibling");
                assertThat(a.in(team.sibling(-1)).get(0, 3)).isEqualTo(3);
                assertThat(inner.associate(a, Cobounds.from(7)).thisImage()).containsExactly(6 + (me + 1) / 2);
            });
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("CA-D05: a copy between an image's own elements is refused if it reads elements that it writes")
    void overlaps(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            IntegerCoarray a = scope.allocateInts(8);
            for (int i = 0; i < 8; i++) {
                a.set(i, i);
            }
            MemorySegment own = a.local();
            assertThatThrownBy(() -> a.put(1, own, 0, 3, me))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another segment");
            assertThatThrownBy(() -> a.get(0, own, 2, 3, me)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> a.put(Section.of(1, 3, 1), own, Section.of(0, 3, 1), me))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> a.put(Section.of(7, 8, -1), own, Section.of(0, 8, 1), me))
                    .isInstanceOf(IllegalArgumentException.class);
            MemorySegment rest = own.asSlice(Integer.BYTES);
            assertThatThrownBy(() -> a.put(Section.of(0, 2, 2), rest, Section.of(1, 2, 2), me))
                    .isInstanceOf(IllegalArgumentException.class);
            a.put(Section.of(0, 4, 2), own, Section.of(1, 4, 2), me); // odd elements to even ones
            a.put(4, own, 0, 4, me);
            for (int i = 0; i < 8; i++) {
                assertThat(a.get(i)).isEqualTo(i % 4 / 2 * 2 + 1);
            }
            scope.team().sync();
            a.put(0, own, 1, 4, 3 - me); // another image's elements
            scope.team().sync();
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-S07: sections put to a coarray of the parent notify by a coarray of the team, and vice versa")
    void notifyOfAnotherTeam(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            IntegerCoarray a = scope.allocateLongs(4);
            NotifyCoarray outer = scope.allocateNotifications(1);
            ImageTeam team = all.form(1 + me % 2);
            team.run(inner -> {
                int other = 3 - team.thisImage();
                int otherOfAll = me > 2 ? me - 2 : me + 2;
                NotifyCoarray own = inner.allocateNotifications(1);
                IntegerCoarray b = inner.allocateLongs(4);
                MemorySegment values = MemorySegment.ofArray(new long[] {me, 10 + me});
                a.put(Section.of(0, 2, 3), values, Section.of(0, 2, 1), own, 0, other);
                own.await(0);
                assertThat(a.get(0)).isEqualTo(otherOfAll);
                assertThat(a.get(3)).isEqualTo(10 + otherOfAll);
                b.put(Section.of(1, 2, 1), values, Section.of(0, 2, 1), outer, 0, other);
                outer.await(0);
                assertThat(b.get(2)).isEqualTo(10 + otherOfAll);
                int stranger = me % 2 + 1; // not in this team
                assertThatThrownBy(
                                () -> a.in(all).put(Section.of(0, 2, 1), values, Section.of(0, 2, 1), own, 0, stranger))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("has no notification");
                team.sync();
            });
        });
    }

    @SpmdTest(pes = 3)
    @DisplayName("CA-T30: six hundred teams that an image has abandoned, and all have closed, take no place")
    void abandonedTeamsEnd(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            for (int i = 0; i < 600; i++) {
                ImageTeam team = all.form(1);
                try {
                    team.run(_ -> {
                        if (all.thisImage() == 1) {
                            throw new IllegalStateException("leaves");
                        }
                        team.sync();
                    });
                } catch (IllegalStateException | TeamAbandonedException e) {
                    assertThat(e).hasMessageContaining("leaves");
                }
                team.close();
                all.sync();
            }
        });
    }

    @SpmdTest(pes = 3)
    @DisplayName("CA-M02: a size that is not allowed on one image is refused on all")
    void refusedSizes(World world) {
        Images.run(world, scope -> {
            boolean isFirst = Images.thisImage() == 1;
            assertThatThrownBy(() -> scope.allocateLongs(isFirst ? -1 : 4))
                    .isInstanceOf(isFirst ? IllegalArgumentException.class : CollectiveMismatchException.class);
            assertThatThrownBy(() -> scope.allocateLongs(isFirst ? Long.MAX_VALUE / 2 : 4))
                    .isInstanceOf(isFirst ? IllegalArgumentException.class : CollectiveMismatchException.class);
            assertThatThrownBy(() -> scope.allocateLongs(-7)).isInstanceOf(IllegalArgumentException.class);
            assertThat(scope.allocateLongs(4).length()).isEqualTo(4);
            scope.team().sync();
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("CA-S03, CA-S09: counts and locks are no elements to copy; time limits; a second free")
    void misuse(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            EventCoarray events = scope.allocateEvents(1);
            NotifyCoarray notifications = scope.allocateNotifications(2);
            LockCoarray locks = scope.allocateLocks(3);
            assertThat(locks.length()).isEqualTo(3);
            MemorySegment one = MemorySegment.ofArray(new long[] {7});
            for (Coarray a : List.of(events, notifications, locks)) {
                assertThatThrownBy(() -> a.put(0, one, 0, 1, me)).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(() -> a.get(Section.of(0, 1, 1), one, Section.of(0, 1, 1), me))
                        .isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(a::local).isInstanceOf(UnsupportedOperationException.class);
            }
            assertThat(events.count(0)).isZero();
            for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
                assertThatThrownBy(() -> events.tryAwait(0, 1, none, ImageSet.of(3 - me)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("1 ns and more");
            }
            events.post(0, me);
            Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
            assertThat(events.tryAwait(0, 1, forever, ImageSet.of(3 - me))).isEqualTo(Outcome.Ok.DONE);
            assertThat(notifications.tryAwait(1, 1, Duration.ofMillis(1), ImageSet.EMPTY))
                    .isEqualTo(new Outcome.TimedOut());
            scope.deallocate(locks);
            assertThatThrownBy(() -> scope.deallocate(locks))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is freed");
            scope.team().sync();
        });
    }
}
