// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.RemoteAction.strongSignalInc;
import static coterie.gin.RemoteAction.weakSignalInc;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;

/// What a signal says, on every transport.
class GinVisibilityTest {
    private static final int SIZE = 4096;

    @EveryMode
    @DisplayName("GI-V1 after a weak signal all bytes of its put are there, and the signal is exactly 1")
    void onePut(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        if (gins.me == 0) {
            gins.fill(8192, SIZE, 0x5A);
            gin.put(gins.all, 1, gins.window, 0, gins.window, 8192, SIZE, weakSignalInc(0));
        } else {
            gin.waitSignal(0, 1);
            assertThat(gins.holds(0, SIZE, 0x5A)).isTrue();
            assertThat(gin.readSignal(0)).isOne();
        }
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-V2 rounds of puts with weak signals, both ways, never show a stale byte")
    void rounds(World world) {
        int rounds = Boolean.getBoolean("coterie.soak") ? 10_000 : 200;
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(1);
        for (int round = 1; round <= rounds; round++) {
            gins.fill(8192, 256, round);
            gin.put(gins.all, gins.right(), gins.window, 0, gins.window, 8192, 256, weakSignalInc(0));
            gin.waitSignal(0, round);
            assertThat(gins.holds(0, 256, round)).as("round %s", round).isTrue();
            gin.flush();
            gin.signal(gins.all, gins.left(), weakSignalInc(1)); // the left one may overwrite
            gin.waitSignal(1, round);
        }
        assertThat(gin.readSignal(0)).isEqualTo(rounds);
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-V4 after a strong signal earlier puts of its context to its target are there")
    void strong(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        if (gins.me == 0) {
            gins.fill(8192, SIZE, 7);
            for (int i = 0; i < 8; i++) {
                gin.put(gins.all, 1, gins.window, i * 512L, gins.window, 8192, 512);
            }
            gin.signal(gins.all, 1, strongSignalInc(2));
        } else {
            gin.waitSignal(2, 1);
            assertThat(gins.holds(0, SIZE, 7)).isTrue();
        }
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("GI-V12 a strong signal covers the put of another thread that has handed over to its sender")
    void twoThreads(World world) throws Exception {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        for (int round = 1; round <= 50; round++) {
            if (gins.me == 0) {
                gins.fill(8192, SIZE, round);
                FutureTask<Void> put =
                        new FutureTask<>(() -> gin.put(gins.all, 1, gins.window, 0, gins.window, 8192, SIZE), null);
                Thread thread = new Thread(put);
                thread.start();
                put.get();
                gin.signal(gins.all, 1, strongSignalInc(0));
                gin.waitSignal(1, round);
                thread.join();
            } else {
                gin.waitSignal(0, round);
                assertThat(gins.holds(0, SIZE, round)).isTrue();
                gin.signal(gins.all, 0, weakSignalInc(1));
            }
        }
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = 2,
            seeds = 3,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("GI-V13 a weak signal comes after the last piece of a long put")
    void longPut(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        if (gins.me == 0) {
            gins.fill(0, GinFixture.BYTES, 3);
            gin.put(gins.all, 1, gins.window, 0, gins.window, 0, GinFixture.BYTES, weakSignalInc(0));
        } else {
            gin.waitSignal(0, 1);
            assertThat(gins.holds(0, GinFixture.BYTES, 3)).isTrue();
        }
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = {1, 3},
            seeds = 3,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("GI-V15 a put of a rank to itself, with a signal, changes no other rank's signal")
    void loopback(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        if (gins.me == 0) {
            gins.fill(4096, 512, 9);
            gin.put(gins.all, 0, gins.window, 0, gins.window, 4096, 512, strongSignalInc(3));
            gin.waitSignal(3, 1);
            assertThat(gins.holds(0, 512, 9)).isTrue();
        }
        gins.meet();
        assertThat(gin.readSignal(3)).isEqualTo(gins.me == 0 ? 1 : 0);
        gins.close();
    }
}
