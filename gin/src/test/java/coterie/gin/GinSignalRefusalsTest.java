// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.GinRefusals.refused;
import static coterie.gin.RemoteAction.signalInc;
import static coterie.gin.RemoteAction.strongSignalAdd;
import static coterie.gin.RemoteAction.strongSignalInc;
import static coterie.gin.RemoteAction.vaSignalInc;
import static coterie.gin.RemoteAction.weakSignalAdd;
import static coterie.gin.RemoteAction.weakSignalInc;
import static coterie.gin.RemoteAction.weakVaSignalInc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import org.junit.jupiter.api.DisplayName;

/// Signals that are refused, before anything happens: numbers, ids, windows, strengths, mixtures.
class GinSignalRefusalsTest {
    @EveryMode
    @DisplayName("GI-S7 numbers of bits outside [1, 64], or 57 of a counter, are refused with the range")
    void bits(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        for (int bits : new int[] {0, 65, -1}) {
            assertThatThrownBy(() -> gin.readSignal(0, bits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bits + " bits; allowed are [1, 64]");
            assertThatThrownBy(() -> gin.waitSignal(0, 1, bits)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> gin.readSignal(gins.window, 0, bits)).isInstanceOf(IllegalArgumentException.class);
        }
        for (int bits : new int[] {0, 57}) {
            assertThatThrownBy(() -> gin.readCounter(0, bits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("[1, 56]");
            assertThatThrownBy(() -> gin.waitCounter(0, 1, bits)).isInstanceOf(IllegalArgumentException.class);
        }
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S12 GI-S13 VA signals need a strict window, and a whole word of it")
    void vaRefusals(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        Window plain = gins.comm.registerWindow(gins.memory);
        refused(
                GinError.NOT_STRICT,
                () -> gin.signal(gins.all, gins.right(), weakVaSignalInc(plain, 0)),
                plain.toString(),
                "STRICT_ORDERING");
        refused(GinError.NOT_STRICT, () -> gin.readSignal(plain, 0));
        for (long offset : new long[] {4, GinFixture.BYTES - 4, GinFixture.BYTES, -8, Long.MAX_VALUE - 7}) {
            assertThatThrownBy(() -> gin.put(
                            gins.all,
                            gins.right(),
                            gins.window,
                            0,
                            gins.window,
                            0,
                            8,
                            weakVaSignalInc(gins.window, offset)))
                    .as("offset %s", offset)
                    .isInstanceOfAny(IndexOutOfBoundsException.class, IllegalArgumentException.class);
        }
        gin.signal(gins.all, gins.right(), weakVaSignalInc(gins.window, GinFixture.BYTES - 8));
        gin.waitSignal(gins.window, GinFixture.BYTES - 8, 1);
        gins.meet();
        plain.close();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S14 GI-S15 ids outside the communicator's are refused before anything happens")
    void ids(World world) {
        GinFixture gins = GinFixture.open(
                world, requirements -> requirements.withSignals(4).withCounters(0));
        Gin gin = gins.gin(0);
        assertThatThrownBy(() -> gin.signal(gins.all, gins.right(), weakSignalInc(4)))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("signal 4; allowed are [0, 4)");
        assertThatThrownBy(() -> gin.waitSignal(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> gin.put(
                        gins.all,
                        gins.right(),
                        gins.window,
                        0,
                        gins.window,
                        8,
                        8,
                        RemoteAction.NONE,
                        LocalAction.weakCounterInc(0)))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("counter 0; allowed are [0, 0)");
        gins.meet();
        for (int signal = 0; signal < 4; signal++) {
            assertThat(gin.readSignal(signal)).isZero();
        }
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S17 an add after an increment, or the reverse, is refused with both lines, until a reset")
    void mixing(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        if (gins.me == 0) {
            gin.signal(gins.all, 1, strongSignalInc(0));
            gin.quiet();
        }
        gins.meet();
        if (gins.me == 1) {
            refused(
                    GinError.MIXED_ACTIONS,
                    () -> gin.put(gins.all, 1, gins.window, 0, gins.window, 8, 8, weakSignalAdd(0, 2)),
                    "rank 1 at GinSignalRefusalsTest.java:",
                    "rank 0 at GinSignalRefusalsTest.java:",
                    "has incremented");
            gin.waitSignal(0, 1);
            gin.resetSignal(0);
        }
        gins.meet();
        if (gins.me == 0) {
            gin.signal(gins.all, 1, weakSignalAdd(0, 5));
            refused(GinError.MIXED_ACTIONS, () -> gin.signal(gins.all, 1, weakSignalInc(0)), "has added to");
            gin.quiet();
        }
        gins.meet();
        assertThat(gin.readSignal(0)).isEqualTo(gins.me == 1 ? 5 : 0);
        gins.close();
    }

    @EveryMode
    @DisplayName("without checks increments and adds may mix")
    void unchecked(World world) {
        GinFixture gins = GinFixture.open(world, requirements -> requirements.withChecks(SignalChecks.OFF));
        Gin gin = gins.gin(0);
        gin.signal(gins.all, gins.right(), strongSignalInc(0));
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 4));
        gin.waitSignal(0, 5);
        gins.meet();
        gin.resetSignal(0);
        gins.close();
    }

    @EveryMode
    @DisplayName(
            "GI-S25 GI-S26 strong and VA signals are refused if the requirements exclude them; plain ones are weak")
    void requiredStrength(World world) {
        GinFixture gins = GinFixture.open(world, requirements -> requirements.withoutStrongSignals());
        Gin gin = gins.gin(0);
        refused(GinError.NOT_REQUIRED, () -> gin.signal(gins.all, gins.right(), strongSignalInc(0)), "strong");
        gin.signal(gins.all, gins.right(), signalInc(0));
        gin.waitSignal(0, 1);
        assertThat(gins.comm.checks().isWeak(signalInc(0))).isTrue();
        gins.meet();
        gins.close();
        GinFixture strong = GinFixture.open(world, requirements -> requirements.withoutVaSignals());
        assertThat(strong.comm.checks().isWeak(signalInc(0))).isFalse();
        refused(
                GinError.NOT_REQUIRED,
                () -> strong.gin(0).signal(strong.all, 0, vaSignalInc(strong.window, 0)),
                "VA signals");
        strong.close();
    }

    @EveryMode
    @DisplayName("a signal without an action is refused")
    void noAction(World world) {
        GinFixture gins = GinFixture.open(world);
        assertThatThrownBy(() -> gins.gin(0).signal(gins.all, 0, RemoteAction.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no action");
        gins.close();
    }
}
