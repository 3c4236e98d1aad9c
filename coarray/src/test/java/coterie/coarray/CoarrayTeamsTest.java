// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

class CoarrayTeamsTest {

    @SpmdTest(pes = 4)
    @DisplayName(
            "CA-T01, CA-T11, CA-T12, CA-T13, CA-T14, CA-T20: two teams number, read and reduce by themselves, and reach each other")
    void oddAndEven(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            IntegerCoarray a = scope.allocateLongs(1);
            a.set(0, me);
            assertThat(a.upperCobound(1)).isEqualTo(4);
            ImageTeam team = scope.team().form(1 + me % 2);
            team.run(inner -> {
                assertThat(Images.numImages()).isEqualTo(2);
                assertThat(Images.thisImage()).isEqualTo((me + 1) / 2);
                assertThat(team.sum((long) me)).isEqualTo(me % 2 == 1 ? 4 : 6);
                assertThat(a.upperCobound(1)).isEqualTo(2);
                assertThat(a.get(0, 1)).isEqualTo(me % 2 == 1 ? 1 : 2);
                Sibling other = team.sibling(me % 2 == 1 ? 1 : 2);
                assertThat(a.in(other).get(0, 1)).isEqualTo(me % 2 == 1 ? 2 : 1);
                assertThat(other.numImages()).isEqualTo(2);
                assertThat(a.in(team.parent()).get(0, 3)).isEqualTo(3);
                assertThatThrownBy(() -> team.sibling(77))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("has no sibling 77; allowed are [1, 2]");
                assertThatThrownBy(() -> a.get(0, 3))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("image 3 is outside [1, 2] of initial/");
            });
            assertThat(Images.thisImage()).isEqualTo(me);
        });
    }

    @SpmdTest(pes = 5)
    @DisplayName("CA-T02: five images in teams of two and three")
    void twoAndThree(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            ImageTeam team = scope.team().form(me % 2 == 0 ? 1 : 2);
            team.run(inner -> {
                assertThat(Images.numImages()).isEqualTo(me % 2 == 0 ? 2 : 3);
                assertThat(Images.thisImage()).isEqualTo((me - 1) / 2 + 1);
            });
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-T04, CA-T05, CA-T06, CA-T34: new indices give the order, and wrong ones refuse the team on all")
    void newIndices(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            ImageTeam reversed = all.form(1, 5 - me);
            reversed.run(inner -> assertThat(Images.thisImage()).isEqualTo(5 - me));
            int[] twice = {1, 2, 2, 4};
            refused(all.tryForm(1, twice[me - 1]), "image 3 passes the new index 2, which another image has");
            refused(all.tryForm(1, me <= 2 ? me : me + 1), "passes the new index 5");
            refused(me <= 2 ? all.tryForm(1, me) : all.tryForm(1), "image 3 passes no new index");
            if (me <= 2) {
                refused(all.tryForm(8, me == 1 ? 1 : 3), "image 2 passes the new index 3");
            } else {
                assertThat(all.tryForm(9)).isInstanceOf(TeamFormation.Whole.class);
            }
            all.sync();
        });
    }

    private static void refused(TeamFormation formation, String text) {
        assertThat(formation).isInstanceOf(TeamFormation.Refused.class);
        Outcome cause = ((TeamFormation.Refused) formation).cause();
        assertThat(cause).isInstanceOf(Outcome.Fault.class);
        assertThat(((Outcome.Fault) cause).text()).contains(text);
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-T07, CA-T32: numbers below 1 are refused where they are passed; numbers have 64 bits")
    void numbers(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            for (long wrong : new long[] {0, -1}) {
                if (me <= 2) {
                    refused(all.tryForm(wrong), "image 1 passes team number " + wrong);
                } else {
                    assertThat(all.tryForm(1).orThrow().numImages()).isEqualTo(2);
                }
            }
            ImageTeam team = all.form(me <= 2 ? 1 : (1L << 32) + 1);
            assertThat(team.numImages()).isEqualTo(2);
            assertThat(team.number()).isEqualTo(me <= 2 ? 1 : (1L << 32) + 1);
            assertThat(team.thisImage()).isEqualTo(me <= 2 ? me : me - 2);
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-T09: images wait for their own team's images before a change of team, and not for another team's")
    void changeWaitsForItsTeam(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            IntegerCoarray order = scope.allocateLongs(2);
            EventCoarray go = scope.allocateEvents(1);
            ImageTeam team = all.form(1 + me % 2);
            if (me == 1) {
                go.await(0); // image 2 has been in its team and has left it
                order.setRelease(0, 1, 3);
            }
            team.run(inner -> {
                if (me == 3) {
                    assertThat(order.get(0)).isEqualTo(1);
                }
            });
            if (me == 2) {
                go.post(0, 1);
            }
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-T15, CA-T17, CA-T26: what a team owns is out of the reach of siblings, children and later scopes")
    void boundaries(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            IntegerCoarray outer = scope.allocateLongs(1);
            ImageTeam team = all.form(1 + me % 2);
            ImageTeam other = all.form(5);
            team.run(inner -> {
                IntegerCoarray b = inner.allocateLongs(1);
                assertThatThrownBy(() -> b.in(team.sibling(2 - me % 2)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("is not established in initial");
                assertThatThrownBy(() -> b.in(team.parent())).hasMessageContaining("is not established in initial");
                assertThatThrownBy(() -> inner.deallocate(outer))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(team.path())
                        .hasMessageContaining("but in initial; deallocate it there");
                outer.put(0, me, Images.thisImage());
                assertThatThrownBy(() -> other.run(never -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("was not formed in the current team " + team.path());
                assertThatThrownBy(() -> all.run(never -> {})).hasMessageContaining("was not formed in");
            });
            assertThat(outer.get(0)).isEqualTo(me);
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-T21, CA-T22, CA-T23: cosubscripts name images of the current team, or none")
    void cosubscripts(World world) {
        Images.run(world, scope -> {
            IntegerCoarray a = scope.allocateLongs(1);
            IntegerCoarray two = scope.associate(a, Cobounds.range(2, 3).from(3));
            assertThat(two.imageIndex(2, 3)).isEqualTo(1);
            assertThat(two.imageIndex(3, 4)).isEqualTo(4);
            assertThat(new int[] {two.imageIndex(4, 3), two.imageIndex(1, 3), two.imageIndex(2, 2)})
                    .containsOnly(0);
            assertThat(two.imageIndex(two.thisImage())).isEqualTo(Images.thisImage());
            assertThat(two.upperCobound(2)).isEqualTo(4);
            IntegerCoarray pairs = scope.associate(a, Cobounds.range(1, 2).from(2));
            assertThat(pairs.imageIndex(1, 3)).isEqualTo(3);
            IntegerCoarray cube =
                    scope.associate(a, Cobounds.range(1, 2).range(0, 1).from(0));
            assertThat(cube.imageIndex(2, 1, 1)).isZero(); // it would be image 8 of 4
            assertThat(cube.cobounds().shape(8)).containsExactly(2, 2, 2);
            assertThat(cube.cobounds().index(8, 2, 1, 1)).isEqualTo(8);
            ImageTeam alone = scope.team().form(Images.thisImage());
            alone.run(inner -> {
                IntegerCoarray mine = inner.associate(a, Cobounds.from(7));
                assertThat(mine.imageIndex(7)).isEqualTo(1);
                assertThat(mine.imageIndex(8)).isZero();
                assertThatThrownBy(() -> mine.in(alone.parent())).hasMessageContaining("is not established");
            });
        });
    }

    @SpmdTest(pes = {1, 2, 3, 8})
    @DisplayName("CA-T22, CA-T23: cosubscripts name an image if there are as many, and none otherwise")
    void cosubscriptsOfOtherSizes(World world) {
        Images.run(world, scope -> {
            int images = Images.numImages();
            IntegerCoarray a = scope.allocateLongs(1);
            IntegerCoarray pairs = scope.associate(a, Cobounds.range(1, 2).from(2));
            assertThat(pairs.imageIndex(1, 3)).isEqualTo(images >= 3 ? 3 : 0);
            IntegerCoarray cube =
                    scope.associate(a, Cobounds.range(1, 2).range(0, 1).from(0));
            assertThat(cube.imageIndex(2, 1, 1)).isEqualTo(images >= 8 ? 8 : 0);
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("CA-T25: the parent of the initial team is itself; teams know their ancestors")
    void ancestors(World world) {
        Images.run(world, scope -> {
            ImageTeam initial = scope.team();
            assertThat(initial.parent()).isSameAs(initial);
            assertThat(initial.number()).isEqualTo(-1);
            ImageTeam child = initial.form(3);
            child.run(inner -> {
                assertThat(ImageTeam.current()).isSameAs(child);
                assertThat(child.parent()).isSameAs(initial);
                ImageTeam deep = child.form(9);
                deep.run(deeper -> {
                    assertThat(deep.parent()).isSameAs(child);
                    assertThat(deep.initial()).isSameAs(initial);
                    assertThat(deep.depth()).isEqualTo(2);
                    assertThat(deep).hasToString("initial/3#1/9#1");
                });
            });
        });
    }
}
