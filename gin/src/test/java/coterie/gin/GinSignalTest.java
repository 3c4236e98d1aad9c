// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.GinRefusals.refused;
import static coterie.gin.RemoteAction.strongSignalAdd;
import static coterie.gin.RemoteAction.strongSignalInc;
import static coterie.gin.RemoteAction.strongVaSignalAdd;
import static coterie.gin.RemoteAction.weakSignalAdd;
import static coterie.gin.RemoteAction.weakSignalInc;
import static coterie.gin.RemoteAction.weakVaSignalInc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.ElementType;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import coterie.testing.SoakBound;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Signals: indexed and VA, their shadows, resets, and waits.
class GinSignalTest {
    @SpmdTest(
            pes = 4,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("GI-S1 increments of all ranks' threads to one signal: none is lost")
    void manyThreads(World world) throws InterruptedException {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        int each = 1000;
        int threads = 4;
        if (gins.me != 0) {
            Thread[] senders = new Thread[threads];
            for (int i = 0; i < threads; i++) {
                senders[i] = new Thread(() -> {
                    for (int k = 0; k < each; k++) {
                        gin.signal(gins.all, 0, k % 2 == 0 ? weakSignalInc(0) : strongSignalInc(0));
                    }
                });
                senders[i].start();
            }
            for (Thread sender : senders) {
                sender.join();
            }
        } else {
            gin.waitSignal(0, 3L * threads * each);
        }
        gins.meet();
        assertThat(gin.readSignal(0)).isEqualTo(gins.me == 0 ? 3L * threads * each : 0);
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S3 GI-S4 a signal of eight bits that wraps, and one half of the circle ahead, which times out")
    void eightBits(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 250));
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 10));
        gin.waitSignal(0, 260);
        assertThat(gin.readSignal(0, 8)).isEqualTo(4);
        gin.waitSignal(0, 4, 8);
        gin.waitSignal(0, 250, 8);
        gin.signal(gins.all, gins.right(), strongSignalAdd(1, 128));
        gin.waitSignal(1, 128);
        refused(
                WaitTimeoutException.class,
                () -> gin.withTimeout(Duration.ofMillis(20)).waitSignal(1, 0, 8),
                "signal 1 is 128 and has not reached 0",
                "half of the circle");
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S3 a signal of 64 bits that wraps has met numbers on both sides, also if it skips them")
    void allBits(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0).withTimeout(ChronoUnit.FOREVER.getDuration());
        long quarter = 1L << 62;
        for (long value : new long[] {quarter, 2 * quarter, 3 * quarter, -5}) {
            long now = gin.readSignal(0);
            gins.meet();
            gin.signal(gins.all, gins.right(), strongSignalAdd(0, value - now));
            gin.waitSignal(0, value);
            gins.meet();
        }
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 8));
        gin.waitSignal(0, -2); // the signal goes past it, and past 0
        assertThat(gin.readSignal(0)).isEqualTo(3);
        gin.waitSignal(0, -5);
        gin.waitSignal(0, 3);
        refused(
                WaitTimeoutException.class,
                () -> gin.withTimeout(Duration.ofMillis(20)).waitSignal(0, 4),
                "signal 0 is 3 and has not reached 4");
        gins.meet();
        gins.close();
    }

    @SpmdTest(pes = 2)
    @DisplayName("a wait ends at its timeout, and not at twice its timeout")
    void timeout(World world) {
        GinFixture gins = GinFixture.open(world);
        Duration timeout = SoakBound.timeout(Duration.ofSeconds(3));
        Gin gin = gins.gin(0).withTimeout(timeout);
        for (Runnable wait : List.<Runnable>of(
                () -> gin.waitSignal(0, 1), () -> gin.waitSignal(gins.window, 64, 1), () -> gin.waitCounter(0, 1))) {
            long begin = FaceSupport.of(world).nanoTime();
            long started = SoakBound.now();
            refused(WaitTimeoutException.class, wait::run, "the timeout of " + timeout.toMillis() + " ms has passed");
            assertThat(Duration.ofNanos(FaceSupport.of(world).nanoTime() - begin))
                    .isGreaterThanOrEqualTo(timeout);
            SoakBound.assertWithin("the wait", timeout.multipliedBy(2), started);
        }
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S10 one id names another signal in each context")
    void contexts(World world) {
        GinFixture gins = GinFixture.open(world);
        gins.gin(1).signal(gins.all, gins.right(), strongSignalInc(0));
        gins.gin(1).waitSignal(0, 1);
        assertThat(gins.gin(0).readSignal(0)).isZero();
        refused(
                WaitTimeoutException.class,
                () -> gins.gin(0).withTimeout(Duration.ofMillis(20)).waitSignal(0, 1),
                "signal 0 is 1 on context 1, you wait on context 0");
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S11 a VA signal is one word for all contexts, which adds and increments may share")
    void vaSignals(World world) {
        GinFixture gins = GinFixture.open(world);
        gins.gin(0).signal(gins.all, gins.right(), strongVaSignalAdd(gins.window, 64, 5));
        gins.gin(1).signal(gins.all, gins.right(), weakVaSignalInc(gins.window, 64));
        gins.gin(2).waitSignal(gins.window, 64, 6);
        assertThat(gins.gin(0).readSignal(gins.window, 64)).isEqualTo(6);
        gins.meet();
        gins.gin(0).resetSignal(gins.window, 64);
        assertThat(gins.gin(3).readSignal(gins.window, 64, 8)).isZero();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S16 a reset clears value and shadow; the next add counts from 0")
    void reset(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gin.signal(gins.all, gins.right(), weakSignalAdd(0, 7));
        gin.waitSignal(0, 7);
        gin.setSignalShadow(0, 7);
        gin.resetSignal(0);
        assertThat(gin.readSignal(0)).isZero();
        assertThat(gin.signalShadow(0)).isZero();
        gins.meet();
        gin.signal(gins.all, gins.right(), weakSignalAdd(0, 3));
        gin.waitSignal(0, 3);
        assertThat(gin.readSignal(0)).isEqualTo(3);
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S20 a wait for the shadow blocks below it and returns at it; to follow it returns the difference")
    void shadows(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gin.increaseSignalShadow(0, 5);
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 4));
        gin.waitSignal(0, 4);
        refused(
                WaitTimeoutException.class,
                () -> gin.withTimeout(Duration.ofMillis(20)).waitSignalMeetShadow(0),
                "signal 0 is 4 and has not reached 5");
        gins.meet();
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 1));
        gin.waitSignalMeetShadow(0);
        gins.meet();
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 3));
        assertThat(gin.waitSignalFollowShadow(0, 3)).isEqualTo(3);
        assertThat(gin.signalShadow(0)).isEqualTo(8);
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("waits for the shadow compare the low bits, on a circle; the difference is of the low bits, too")
    void shadowsOfFewBits(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gin.setSignalShadow(0, 0xFE);
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 0x2FE));
        gin.waitSignalMeetShadow(0, 8);
        gin.waitSignal(0, 0x2FE);
        gins.meet();
        refused(
                WaitTimeoutException.class,
                () -> gin.withTimeout(Duration.ofMillis(20)).waitSignalFollowShadow(0, 4, 8),
                "waitSignalFollowShadow");
        assertThat(gin.signalShadow(0)).isEqualTo(0xFE);
        gins.meet();
        gin.signal(gins.all, gins.right(), strongSignalAdd(0, 5)); // past 0xFF
        assertThat(gin.waitSignalFollowShadow(0, 4, 8)).isEqualTo(5);
        assertThat(gin.signalShadow(0)).isEqualTo(0x303);
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S21 a wait passes what is more than it wants; an exact one reports the overshoot")
    void overshoot(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gin.signal(gins.all, gins.right(), strongSignalInc(0));
        gin.signal(gins.all, gins.right(), strongSignalInc(0));
        gin.waitSignal(0, 2);
        gin.waitSignal(0, 1);
        refused(GinError.OVERSHOOT, () -> gin.waitSignalExactly(0, 1), "signal 0 is 2, and exactly 1 is expected");
        gin.waitSignalExactly(0, 2);
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S23 values of 1 to 8 bytes arrive, at any offset; others are refused")
    void values(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        for (int bytes : new int[] {0, 9, 16, -1}) {
            assertThatThrownBy(() -> gin.putValue(gins.all, gins.right(), gins.window, 0, 1, bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allowed are [1, 8]");
        }
        long value = 0x1122_3344_5566_7788L;
        int signals = 0;
        for (int bytes = 1; bytes <= 8; bytes++) {
            for (int skew = 0; skew < 3; skew++) {
                gin.putValue(gins.all, gins.right(), gins.window, offset(bytes, skew), value, bytes, weakSignalInc(0));
                signals++;
            }
        }
        SymmetricPointer pointer = gins.window.pointer(2048, ElementType.INT).plus(1);
        gin.putValue(gins.all, gins.right(), pointer, -2, weakSignalInc(0));
        gin.waitSignal(0, signals + 1L);
        for (int bytes = 1; bytes <= 8; bytes++) {
            for (int skew = 0; skew < 3; skew++) {
                for (int i = 0; i < 10; i++) {
                    long expected = i < bytes ? (byte) (value >>> (8 * i)) : 0;
                    assertThat(gins.memory.bytes().get(offset(bytes, skew) + i))
                            .as("byte %s of %s at skew %s", i, bytes, skew)
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(gins.memory.ints().get(513)).isEqualTo(-2);
        gins.meet();
        gins.close();
    }

    private static long offset(int bytes, int skew) {
        return bytes * 64L + skew * 17L;
    }

    @EveryMode
    @DisplayName("GI-S24 0 bytes: with an action a signal, without one nothing; flushes return")
    void noBytes(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gin.put(gins.all, gins.right(), gins.window, 0, gins.window, 0, 0, strongSignalInc(0));
        gin.put(gins.all, gins.right(), gins.window, GinFixture.BYTES, gins.window, GinFixture.BYTES, 0);
        gin.get(gins.all, gins.right(), gins.window, 0, gins.window, 0, 0);
        gin.flush();
        gin.waitSignal(0, 1);
        gins.meet();
        assertThat(gin.readSignal(0)).isOne();
        gins.close();
    }

    @SpmdTest(pes = 2, seeds = 12, modes = SpmdMode.SIM)
    @DisplayName("GI-S18 a reset while increments are on their way is refused with their number, and loses none")
    void racingReset(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        int refusals = 0;
        if (gins.me == 0) {
            for (int i = 0; i < 3; i++) {
                gin.signal(gins.all, 1, weakSignalInc(0));
            }
            gins.gin(1).signal(gins.all, 1, weakSignalInc(1)); // of another context: it may come first
        } else {
            gins.gin(1).waitSignal(1, 1);
            long seen = gin.readSignal(0);
            try {
                gin.resetSignal(0);
                gins.gin(2).signal(gins.all, 1, weakSignalInc(2)); // all three had come
            } catch (GinException e) {
                assertThat(e.error()).isEqualTo(GinError.RESET_RACE);
                assertThat(e).hasMessageContaining("undelivered");
                assertThat(seen).isLessThan(3);
                refusals++;
                gin.waitSignal(0, 3);
                gin.resetSignal(0);
            }
            assertThat(gin.readSignal(0)).isZero();
        }
        assertThat(refusals).isBetween(0, 1);
        gins.meet();
        gins.close();
    }
}
