// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.RemoteAction.weakSignalInc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;

/// Barriers of all kinds: which bytes are visible after them, and which ranks a report names as missing.
class GinBarrierTest {
    private static final int SIZE = 256;

    @SpmdTest(
            pes = {1, 2, 3, 5, 9},
            seeds = 2,
            modes = {SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "GI-B1 a barrier of one thread per rank never deadlocks, and no rank leaves before the last has entered")
    void onlySynchronizes(World world) {
        int rounds = Boolean.getBoolean("coterie.soak") ? 1000 : 30;
        GinFixture gins = GinFixture.open(world);
        try (BarrierSession barrier = gins.comm.worldBarrier(gins.gin(0), 0)) {
            for (int round = 1; round <= rounds; round++) {
                gins.memory.longs().setRelease(100, round, gins.me);
                world.context().quiet();
                barrier.sync(FenceLevel.NONE);
                assertThat(gins.memory.longs().getAcquire(100, gins.right())).isGreaterThanOrEqualTo(round);
            }
        }
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = {2, 3},
            seeds = 4,
            modes = {SpmdMode.PROCESSES, SpmdMode.SIM})
    @DisplayName("GI-B3 GI-B4 after a barrier with PUT the puts of all ranks are there, also those to oneself")
    void fencesPuts(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(1);
        try (BarrierSession barrier = gins.comm.worldBarrier(gin, 1)) {
            for (int round = 1; round <= 5; round++) {
                gins.fill(32_768, SIZE, round * 16 + gins.me);
                for (int peer = 0; peer < gins.size; peer++) {
                    gin.put(gins.all, peer, gins.window, gins.me * (long) SIZE, gins.window, 32_768, SIZE);
                }
                barrier.sync(FenceLevel.PUT);
                for (int peer = 0; peer < gins.size; peer++) {
                    assertThat(gins.holds(peer * (long) SIZE, SIZE, round * 16 + peer))
                            .isTrue();
                }
                gin.flush();
                barrier.sync(FenceLevel.NONE);
            }
        }
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-B6 after a barrier with GET the caller's gets have landed")
    void fencesGets(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        gins.fill(0, SIZE, 60 + gins.me);
        gins.meet();
        gin.get(gins.all, gins.right(), gins.window, 0, gins.window, 8192, SIZE);
        try (BarrierSession barrier = gins.comm.worldBarrier(gin, 0)) {
            barrier.sync(FenceLevel.GET);
        }
        assertThat(gins.holds(8192, SIZE, 60 + gins.right())).isTrue();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-B8 a barrier of all contexts fences the puts of all of them")
    void allContexts(World world) {
        GinFixture gins = GinFixture.open(world);
        int contexts = gins.comm.contextCount();
        for (int context = 0; context < contexts; context++) {
            gins.fill(8192 + context * (long) SIZE, SIZE, context + 1);
            gins.gin(context)
                    .put(
                            gins.all,
                            gins.right(),
                            gins.window,
                            context * (long) SIZE,
                            gins.window,
                            8192 + context * (long) SIZE,
                            SIZE);
        }
        try (BarrierSession barrier = gins.comm.worldBarrier(gins.comm.allContexts(), 0)) {
            assertThat(barrier.signals(FenceLevel.PUT)).isEqualTo(contexts * gins.size);
            barrier.sync(FenceLevel.PUT);
        }
        for (int context = 0; context < contexts; context++) {
            assertThat(gins.holds(context * (long) SIZE, SIZE, context + 1)).isTrue();
        }
        for (int context = 0; context < contexts; context++) {
            gins.gin(context).quiet();
        }
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = 3,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("GI-B10 two threads with an index each do not disturb each other")
    void twoIndexes(World world) throws Exception {
        int rounds = Boolean.getBoolean("coterie.soak") ? 10_000 : 300;
        GinFixture gins = GinFixture.open(world);
        FutureTask<Void> second = new FutureTask<>(() -> rounds(gins, 1, rounds), null);
        Thread thread = new Thread(second);
        thread.start();
        rounds(gins, 0, rounds);
        second.get();
        thread.join();
        gins.meet();
        gins.close();
    }

    private static void rounds(GinFixture gins, int index, int rounds) {
        Gin gin = gins.gin(index);
        try (BarrierSession barrier = gins.comm.worldBarrier(gin, index)) {
            for (int round = 1; round <= rounds; round++) {
                gin.putValue(gins.all, gins.right(), gins.window, 8L * index, round, 8);
                barrier.sync(FenceLevel.PUT);
                assertThat(gins.memory.longs().getAcquire(index, gins.me)).isEqualTo(round);
                barrier.sync(FenceLevel.NONE);
            }
        }
    }

    @EveryMode
    @DisplayName("GI-B11 ranks that use one index on different contexts: the report names index and both contexts")
    void differentContexts(World world) {
        GinFixture gins = GinFixture.open(world);
        try (BarrierSession barrier = gins.comm.worldBarrier(gins.gin(gins.me), 1)) {
            barrier.arrive(FenceLevel.NONE);
            gins.gin(gins.me).quiet();
            gins.meet();
            BarrierSession shorter = barrier.withTimeout(Duration.ofMillis(50));
            assertThatThrownBy(shorter::await)
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("world barrier 1")
                    .hasMessageContaining("rank " + gins.right() + " has arrived on context " + gins.right()
                            + ", and is expected on context " + gins.me);
        }
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = 3,
            seeds = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.SIM})
    @DisplayName("GI-B12 a rank that does not come is named, and the barrier is poisoned")
    void missing(World world) {
        GinFixture gins = GinFixture.open(world);
        if (gins.me != 2) {
            try (BarrierSession barrier = gins.comm.worldBarrier(gins.gin(0), 0)) {
                assertThatThrownBy(() -> barrier.sync(FenceLevel.PUT, Duration.ofMillis(50)))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("2");
            }
            try (BarrierSession again = gins.comm.worldBarrier(gins.gin(0), 0)) {
                assertThatThrownBy(again::sync)
                        .isInstanceOfSatisfying(
                                GinException.class, e -> assertThat(e.error()).isEqualTo(GinError.POISONED))
                        .hasMessageContaining("are missing");
            }
        }
        gins.meet();
        try (BarrierSession other = gins.comm.worldBarrier(gins.gin(0), 1)) {
            other.sync();
        }
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = 8,
            nodes = "a:4,b:4",
            seeds = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.SIM})
    @DisplayName("GI-B15 a hybrid barrier of two stages, and the world's in its place if puts may go off the rail")
    void hybrid(World world) {
        GinFixture gins = GinFixture.open(world);
        boolean isSimulated = gins.comm.lsaSize() == 1;
        try (BarrierSession barrier = gins.comm.hybridBarrier(gins.gin(0), 1)) {
            assertThat(barrier.signals(FenceLevel.NONE)).isEqualTo(isSimulated ? 7 : 3 + 1);
            assertThat(barrier.signals(FenceLevel.PUT)).isEqualTo(8);
            for (int round = 1; round <= 3; round++) {
                gins.fill(32_768, SIZE, round * 16 + gins.me);
                for (int peer = 0; peer < 8; peer++) {
                    gins.gin(0).put(gins.all, peer, gins.window, gins.me * (long) SIZE, gins.window, 32_768, SIZE);
                }
                barrier.sync();
                for (int peer = 0; peer < 8; peer++) {
                    assertThat(gins.holds(peer * (long) SIZE, SIZE, round * 16 + peer))
                            .isTrue();
                }
                barrier.sync(FenceLevel.NONE);
            }
        }
        gins.meet();
        gins.close();
        railHybrid(world, isSimulated);
    }

    private static void railHybrid(World world, boolean isSimulated) {
        GinFixture gins = GinFixture.open(
                world,
                requirements ->
                        requirements.withConnectionType(ConnectionType.RAIL).withWorldBarriers(0));
        AffineTeam rail = gins.comm.railTeam();
        try (BarrierSession barrier = gins.comm.hybridBarrier(gins.gin(0), 0)) {
            assertThat(barrier.signals(FenceLevel.PUT)).isEqualTo(isSimulated ? 1 + 8 : 4 + 2);
            gins.fill(32_768, SIZE, gins.me + 1);
            for (int peer = 0; peer < rail.size(); peer++) {
                gins.gin(0).put(rail, peer, gins.window, gins.me * (long) SIZE, gins.window, 32_768, SIZE);
            }
            barrier.sync(FenceLevel.PUT);
            for (int peer = 0; peer < rail.size(); peer++) {
                int rank = rail.toCommunicator(peer);
                assertThat(gins.holds(rank * (long) SIZE, SIZE, rank + 1)).isTrue();
            }
        }
        gins.gin(0).quiet();
        gins.meet();
        gins.close();
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2", modes = SpmdMode.PROCESSES)
    @DisplayName("barriers of the LSA team, of the rail, and of any team with signals of a resource")
    void otherTeams(World world) {
        ResourceRequirement inner = ResourceRequirement.barriers(1, 2);
        ResourceRequirement outer = ResourceRequirement.barriers(1, 2);
        GinFixture gins = GinFixture.open(
                world, requirements -> requirements.withResource(inner).withResource(outer));
        DeviceCommunicator comm = gins.comm;
        try (BarrierSession lsa = comm.lsaBarrier(0);
                BarrierSession rail = comm.railBarrier(gins.gin(2), 1);
                BarrierSession both = comm.hybridBarrier(
                        gins.gin(0),
                        comm.lsaTeam(),
                        comm.resources(inner),
                        comm.railTeam(),
                        comm.resources(outer),
                        0)) {
            for (int round = 1; round <= 20; round++) {
                gins.memory.longs().setRelease(0, round, gins.me);
                lsa.sync();
                assertThat(gins.memory.longs().getAcquire(0, comm.rankToWorld(comm.lsaTeam(), 0)))
                        .isGreaterThanOrEqualTo(round);
                rail.sync();
                both.sync();
                assertThat(gins.memory.longs().getAcquire(0, (gins.me + 2) % 4)).isGreaterThanOrEqualTo(round);
            }
        }
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName("an index out of range, one in use, an await without arrive, and a closed session are refused")
    void misuse(World world) {
        GinFixture gins = GinFixture.open(world);
        assertThatThrownBy(() -> gins.comm.worldBarrier(gins.gin(0), 4))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("index 4; allowed are [0, 4)");
        BarrierSession barrier = gins.comm.worldBarrier(gins.gin(0), 0);
        assertThatThrownBy(() -> gins.comm.worldBarrier(gins.gin(0), 0))
                .isInstanceOfSatisfying(
                        GinException.class, e -> assertThat(e.error()).isEqualTo(GinError.BUSY));
        assertThatThrownBy(barrier::await).isInstanceOf(IllegalStateException.class);
        barrier.arrive(FenceLevel.PUT_GET);
        assertThatThrownBy(() -> barrier.arrive(FenceLevel.NONE)).isInstanceOf(IllegalStateException.class);
        gins.gin(0).signal(gins.all, gins.right(), weakSignalInc(0)); // other work between the two
        barrier.await();
        barrier.close();
        assertThatThrownBy(barrier::sync).isInstanceOf(IllegalStateException.class);
        gins.gin(0).waitSignal(0, 1);
        gins.meet();
        gins.close();
    }
}
