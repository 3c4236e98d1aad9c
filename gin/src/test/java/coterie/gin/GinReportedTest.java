// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.RemoteAction.strongSignalAdd;
import static coterie.gin.RemoteAction.strongSignalInc;
import static coterie.gin.RemoteAction.weakSignalInc;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Programs in the shapes in which reports on another implementation of this interface found it broken.
class GinReportedTest {
    private static final int SOURCE = 32_768;

    private static int rounds(int rounds, int soak) {
        return Boolean.getBoolean("coterie.soak") ? soak : rounds;
    }

    /// Each rank sends the same bytes in each round, in two slots by turns, and empties what it has got: a signal
    /// of an earlier round that is taken for one of this round finds an empty slot. Strong signals, since two puts
    /// are under way at a time and weak signals may pass each other.
    @SpmdTest(
            pes = {2, 3},
            seeds = 3,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("GI-R1 two slots by turns with the same bytes each round, one rank late: a wait for a growing"
            + " count finds each round's bytes")
    void growingCounts(World world) {
        int size = 200;
        int rounds = rounds(10, 5_000);
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gins.fill(SOURCE, size, 9);
        for (int round = 1; round <= rounds; round++) {
            int slot = round % 2 * size;
            if (round % gins.size == gins.me) {
                for (int turn = 0; turn < 100; turn++) {
                    world.progress(); // late
                }
            }
            gin.waitSignal(1, round - 2L); // the right has emptied this slot
            gin.put(gins.all, gins.right(), gins.window, slot, gins.window, SOURCE, size, strongSignalInc(0));
            gin.waitSignal(0, round);
            assertThat(gins.holds(slot, size, 9)).as("round %s", round).isTrue();
            gins.fill(slot, size, 0);
            gin.signal(gins.all, gins.left(), strongSignalInc(1));
        }
        gin.quiet();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-R2 a reset, and at once increments of the next round by a faster rank: the signal is 0 or those; a"
            + " second reset, and one at the greatest value, leave 0")
    void resetThenIncrements(World world) {
        int rounds = rounds(30, 10_000);
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        for (int round = 1; round <= rounds; round++) {
            if (gins.me == 0) {
                gin.waitSignal(1, round - 1L);
                gin.signal(gins.all, 1, strongSignalInc(0));
                gin.signal(gins.all, 1, strongSignalInc(0));
            } else {
                gin.waitSignal(0, 2);
                gin.waitSignal(0, 1); // it is more at entry
                gin.resetSignal(0);
                gin.signal(gins.all, 0, strongSignalInc(1));
                for (int look = 0; look < 20; look++) {
                    assertThat(gin.readSignal(0)).as("round %s", round).isBetween(0L, 2L);
                }
            }
        }
        gin.quiet();
        gins.meet();
        gin.resetSignal(0);
        gin.resetSignal(0);
        assertThat(gin.readSignal(0)).isZero();
        gins.meet();
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, -1)); // the greatest
        gin.quiet();
        gins.meet();
        assertThat(gin.readSignal(0)).isEqualTo(-1);
        gin.resetSignal(0);
        assertThat(gin.readSignal(0)).isZero();
        assertThat(gin.signalShadow(0)).isZero();
        gins.meet();
        gin.signal(gins.all, gins.right(), strongSignalInc(0));
        gin.waitSignal(0, 1);
        assertThat(gin.readSignal(0)).isEqualTo(1);
        gin.quiet();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-R3 windows of unequal lengths in one block, registered in another order than their places, one of"
            + " them anew: puts at the first and the last byte of each reach their own")
    void windowsOfOneBlock(World world) {
        long[][] ranges = {{4_096, 100}, {0, 1}, {1, 63}, {8_000, 192}, {64, 4_032}, {4_196, 3_804}};
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        try (SymmetricMemory block = world.allocate(8_192)) {
            List<Window> windows = new ArrayList<>();
            for (long[] range : ranges) {
                windows.add(gins.comm.registerWindow(block, range[0], range[1]));
            }
            for (int round = 1; round <= 2; round++) {
                block.segment().fill((byte) 0);
                gins.meet();
                byte[] expected = new byte[8_192];
                for (int each = 0; each < ranges.length; each++) {
                    int value = round * 16 + each;
                    long last = ranges[each][1] - 1;
                    gins.fill(SOURCE + each, 1, value);
                    for (long at : new long[] {0, last}) {
                        gin.put(
                                gins.all,
                                gins.right(),
                                windows.get(each),
                                at,
                                gins.window,
                                SOURCE + each,
                                1,
                                weakSignalInc(0));
                    }
                    expected[(int) ranges[each][0]] = (byte) value;
                    expected[(int) (ranges[each][0] + last)] = (byte) value;
                }
                gin.waitSignal(0, 2L * ranges.length * round);
                assertThat(block.segment().toArray(JAVA_BYTE))
                        .as("round %s", round)
                        .isEqualTo(expected);
                gin.quiet();
                gins.meet();
                windows.get(2).close();
                windows.set(2, gins.comm.registerWindow(block, ranges[2][0], ranges[2][1]));
            }
            windows.forEach(Window::close);
        }
        gins.close();
    }
}
