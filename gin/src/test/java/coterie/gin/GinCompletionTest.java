// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.LocalAction.weakCounterInc;
import static coterie.gin.RemoteAction.strongSignalAdd;
import static coterie.gin.RemoteAction.strongSignalInc;
import static coterie.gin.RemoteAction.weakSignalInc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

/// Flushes, requests, counters, gets, and queues that are full.
class GinCompletionTest {

    @EveryMode
    @DisplayName("GI-C1 after a flush the source may change: the target gets the old bytes")
    void flushThenOverwrite(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        if (gins.me == 0) {
            gins.fill(8192, 4096, 1);
            gin.put(gins.all, 1, gins.window, 0, gins.window, 8192, 4096);
            gin.flush();
            gins.fill(8192, 4096, 2);
            gin.signal(gins.all, 1, strongSignalInc(0));
        } else {
            gin.waitSignal(0, 1);
            assertThat(gins.holds(0, 4096, 1)).isTrue();
        }
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-C3 a counter counts the puts whose sources may change")
    void counter(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        for (int i = 0; i < 8; i++) {
            gin.put(
                    gins.all,
                    gins.right(),
                    gins.window,
                    i * 512L,
                    gins.window,
                    8192 + i * 512L,
                    512,
                    RemoteAction.NONE,
                    weakCounterInc(2));
        }
        gin.waitCounter(2, 8);
        assertThat(gin.readCounter(2)).isEqualTo(8);
        gin.resetCounter(2);
        assertThat(gin.readCounter(2)).isZero();
        gin.quiet();
        gin.put(gins.all, gins.right(), gins.window, 0, gins.window, 8192, 8, RemoteAction.NONE, weakCounterInc(2));
        gin.waitCounter(2, 1);
        gin.quiet();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-S9 a counter wraps at 56 bits")
    void counterWraps(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gin.context().words.set(gins.comm.layout().counter(0, 1), (1L << 56) - 1);
        assertThat(gin.readCounter(1)).isEqualTo((1L << 56) - 1);
        gin.put(gins.all, gins.me, gins.window, 0, gins.window, 8, 8, RemoteAction.NONE, weakCounterInc(1));
        gin.waitCounter(1, 1L << 56);
        assertThat(gin.readCounter(1)).isZero();
        assertThatThrownBy(() -> gin.withTimeout(Duration.ofMillis(10)).waitCounter(1, 1))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("counter 1 is 0 and has not reached 1");
        gin.quiet();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-C5 after a flush the bytes of a get are here")
    void get(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gins.fill(0, 4096, 40 + gins.me);
        gins.meet();
        gin.get(gins.all, gins.right(), gins.window, 0, gins.window, 8192, 4096);
        gin.flush();
        assertThat(gins.holds(8192, 4096, 40 + gins.right())).isTrue();
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = 3,
            seeds = 3,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("GI-C7 a request is for one peer: after its wait the bytes of that peer are here")
    void request(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gins.fill(0, 512, 40 + gins.me);
        gins.meet();
        if (gins.me == 0) {
            gin.get(gins.all, 1, gins.window, 0, gins.window, 8192, 512);
            gin.get(gins.all, 2, gins.window, 0, gins.window, 16_384, 512);
            GinRequest request = gin.flushAsync(gins.all, 1);
            gin.await(request);
            assertThat(gins.holds(8192, 512, 41)).isTrue();
            gin.await(request); // stays complete
            assertThat(gin.isComplete(request)).isTrue();
            gin.flush();
            assertThat(gins.holds(16_384, 512, 42)).isTrue();
        }
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-C9 a request of another context, and null, are refused")
    void foreignRequest(World world) {
        GinFixture gins = GinFixture.open(world);
        GinRequest request = gins.gin(0).flushAsync(gins.all, 0);
        assertThatThrownBy(() -> gins.gin(1).await(request))
                .isInstanceOfSatisfying(
                        GinException.class, e -> assertThat(e.error()).isEqualTo(GinError.FOREIGN))
                .hasMessageContaining("the request is of context 0");
        assertThatThrownBy(() -> gins.gin(1).await(null)).isInstanceOf(NullPointerException.class);
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-C10 a queue of four: a thousand puts and a strong add, none is lost")
    void shallowQueue(World world) {
        int puts = Boolean.getBoolean("coterie.soak") ? 1000 : 200;
        GinFixture gins = GinFixture.open(world, requirements -> requirements.withQueueDepth(4));
        Gin gin = gins.gin(0);
        if (gins.me == 0) {
            for (int i = 0; i < puts; i++) {
                gins.memory.longs().set(4096 + i, i + 1);
                gin.put(gins.all, 1, gins.window, i * 8L, gins.window, 32_768 + i * 8L, 8);
            }
            gin.signal(gins.all, 1, strongSignalAdd(0, puts));
        } else {
            gin.waitSignal(0, puts);
            for (int i = 0; i < puts; i++) {
                assertThat(gins.memory.longs().get(i)).isEqualTo(i + 1);
            }
            assertThat(gin.readSignal(0)).isEqualTo(puts);
        }
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-C11 aggregated puts: all arrive, whether the last has the flag or not")
    void aggregation(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 16; i++) {
                gins.memory.longs().set(4096 + i, 100L * round + i + 1);
                OptFlag flag = round == 1 || i < 15 ? OptFlag.AGGREGATE_REQUESTS : OptFlag.DEFAULT;
                gin.put(
                        gins.all,
                        gins.right(),
                        gins.window,
                        i * 8L,
                        gins.window,
                        32_768 + i * 8L,
                        8,
                        strongSignalInc(0),
                        LocalAction.NONE,
                        flag);
            }
            gin.flush();
            gin.waitSignal(0, 16L * (round + 1));
            for (int i = 0; i < 16; i++) {
                assertThat(gins.memory.longs().get(i)).isEqualTo(100L * round + i + 1);
            }
            gin.quiet();
            gins.meet();
        }
        gins.close();
    }

    @EveryMode
    @DisplayName("aggregated values, elements, gets and signals: all arrive, also if nothing without the flag follows")
    void aggregatedKinds(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        OptFlag flag = OptFlag.AGGREGATE_REQUESTS;
        RemoteAction one = strongSignalInc(0);
        gins.memory.longs().set(4096, 11 + gins.me);
        gins.memory.longs().set(5000, 21 + gins.me);
        gins.meet();
        SymmetricPointer begin = gins.window.pointer(0, coterie.ElementType.LONG);
        gin.get(gins.all, gins.right(), gins.window, 5000 * 8L, gins.window, 6000 * 8L, 8, flag);
        gin.putValue(gins.all, gins.right(), gins.window, 8, 31 + gins.me, 8, one, flag);
        gin.putValue(gins.all, gins.right(), begin.plus(2), 41 + gins.me, one, flag);
        gin.put(gins.all, gins.right(), begin, begin.plus(4096), 1, one, LocalAction.NONE, flag);
        gin.signal(gins.all, gins.right(), one, flag);
        gin.waitSignal(0, 4);
        assertThat(gins.memory.longs().get(0)).isEqualTo(11 + gins.left());
        assertThat(gins.memory.longs().get(1)).isEqualTo(31 + gins.left());
        assertThat(gins.memory.longs().get(2)).isEqualTo(41 + gins.left());
        gin.flush();
        assertThat(gins.memory.longs().get(6000)).isEqualTo(21 + gins.right());
        gin.quiet();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("elements of symmetric pointers: a put counts in elements")
    void pointers(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        for (int i = 0; i < 10; i++) {
            gins.memory.ints().set(1000 + i, i * 3L);
        }
        SymmetricPointer source = gins.window.pointer(4000, coterie.ElementType.INT);
        SymmetricPointer target = gins.window.pointer(0, coterie.ElementType.INT);
        gin.put(gins.all, gins.right(), target.plus(2), source, 10, weakSignalInc(0), LocalAction.NONE);
        gin.waitSignal(0, 1);
        for (int i = 0; i < 10; i++) {
            assertThat(gins.memory.ints().get(2 + i)).isEqualTo(i * 3L);
        }
        assertThatThrownBy(
                        () -> gin.put(gins.all, 0, target, source, Long.MAX_VALUE, RemoteAction.NONE, LocalAction.NONE))
                .isInstanceOf(IndexOutOfBoundsException.class);
        gin.flush();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-C13 an error of the agent ends a wait with its cause")
    void agentFails(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        if (gins.comm.isDistributed()) {
            gins.comm.fail(new IllegalStateException("injected"));
            assertThatThrownBy(() -> gin.waitSignal(0, 1))
                    .isInstanceOfSatisfying(
                            GinException.class, e -> assertThat(e.error()).isEqualTo(GinError.FAILED))
                    .hasMessageContaining("injected")
                    .hasCauseInstanceOf(IllegalStateException.class);
            gins.comm.fail(null);
        }
        gins.meet();
        gins.close();
    }
}
