// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.RemoteAction.strongSignalInc;
import static coterie.gin.RemoteAction.weakSignalInc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.Arrays;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Teams and their translation, rails, requirements, windows and bounds.
class GinTeamTest {
    private static void refused(GinError error, ThrowingCallable call, String... words) {
        refused(GinException.class, call, words)
                .satisfies(e -> assertThat(((GinException) e).error()).isEqualTo(error));
    }

    private static AbstractThrowableAssert<?, ?> refused(
            Class<? extends CoterieException> type, ThrowingCallable call, String... words) {
        AbstractThrowableAssert<?, ?> thrown = assertThatThrownBy(call).isInstanceOf(type);
        for (String each : words) {
            thrown.hasMessageContaining(each);
        }
        return thrown;
    }

    @Test
    @DisplayName("GI-T1 twelve ranks in groups of four, seen by rank 5")
    void threeTeams() {
        AffineTeam world = new AffineTeam(12, 5, 1, 5);
        AffineTeam lsa = world.innerFactor(4);
        AffineTeam rail = world.outerFactor(4);
        assertThat(lsa).isEqualTo(new AffineTeam(4, 1, 1, 5));
        assertThat(rail).isEqualTo(new AffineTeam(3, 1, 4, 5));
        assertThat(rail.toCommunicator(2)).isEqualTo(9);
        assertThat(rail.fromCommunicator(9)).isEqualTo(2);
        assertThat(rail.fromCommunicator(8)).isEqualTo(-1);
        assertThat(lsa.fromCommunicator(8)).isEqualTo(-1);
    }

    @Test
    @DisplayName("GI-T3 a factor that leaves a remainder is refused")
    void remainder() {
        AffineTeam world = new AffineTeam(10, 3, 1, 3);
        assertThatThrownBy(() -> world.outerFactor(4)).hasMessageContaining("10 is not divisible by 4");
        assertThatThrownBy(() -> world.innerFactor(4)).hasMessageContaining("10 is not divisible by 4");
        assertThatThrownBy(() -> world.innerFactor(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("LSA teams are the largest equal groups of neighbours that share memory")
    void lsaSizes() {
        assertThat(Topology.lsaSize(new int[] {0, 0, 0, 0, 4, 4, 4, 4})).isEqualTo(4);
        assertThat(Topology.lsaSize(new int[] {0, 0, 0, 0})).isEqualTo(4);
        assertThat(Topology.lsaSize(new int[] {0, 0, 0, 3, 3})).isEqualTo(1);
        assertThat(Topology.lsaSize(new int[] {0, 0, 0, 0, 4, 4})).isEqualTo(2);
        assertThat(Topology.lsaSize(new int[] {0, 1, 0, 1})).isEqualTo(1);
    }

    @SpmdTest(
            pes = 8,
            nodes = "a:4,b:4",
            seeds = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.SIM})
    @DisplayName("GI-T4 GI-T5 RAIL connections: a peer off the rail is refused with both rails; rail peers are reached")
    void rails(World world) {
        // The simulated network has no shared memory: there each rank is an LSA team, and all are on one rail.
        DeviceCommunicator comm = DeviceCommunicator.create(
                world,
                CommunicatorRequirements.DEFAULT
                        .withConnectionType(ConnectionType.RAIL)
                        .withSignals(1));
        Gin gin = comm.gin(0);
        if (comm.lsaSize() == 4) {
            if (comm.rank() == 1) {
                refused(
                        GinError.NOT_CONNECTED,
                        () -> gin.signal(comm.worldTeam(), 6, weakSignalInc(0)),
                        "rank 6 is on rail 2, the caller on rail 1");
                refused(GinError.NOT_CONNECTED, () -> gin.signal(comm.lsaTeam(), 2, weakSignalInc(0)));
            }
            assertThat(comm.railTeam().size()).isEqualTo(2);
            assertThat(comm.rankToWorld(comm.railTeam(), 1)).isEqualTo(4 + comm.rank() % 4);
            assertThat(comm.rankToLsa(comm.worldTeam(), comm.rank())).isEqualTo(comm.rank() % 4);
            assertThat(comm.isMember(comm.lsaTeam(), comm.railTeam(), 1)).isEqualTo(comm.rank() >= 4);
            assertThat(comm.rankInDifference(comm.worldTeam(), comm.railTeam(), 0))
                    .isEqualTo(comm.rank() % 4 == 0 ? 1 : 0);
            assertThatThrownBy(() -> comm.rankInDifference(comm.worldTeam(), comm.railTeam(), 6))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("[0, 6)");
            assertThatThrownBy(() -> comm.rankToLsa(comm.worldTeam(), (comm.rank() + 4) % 8))
                    .isInstanceOf(IllegalArgumentException.class);
        } else {
            assertThat(comm.lsaSize()).isOne();
        }
        AffineTeam rail = comm.railTeam();
        for (int peer = 0; peer < rail.size(); peer++) {
            gin.signal(rail, peer, strongSignalInc(0));
        }
        gin.waitSignal(0, rail.size());
        world.team().sync();
        comm.close();
    }

    @EveryMode
    @DisplayName("GI-T6 GI-T7 requirements that exclude each other are refused by name, on all")
    void conflicts(World world) {
        refused(
                GinError.UNSUPPORTED,
                () -> DeviceCommunicator.create(
                        world,
                        CommunicatorRequirements.DEFAULT
                                .withConnectionType(ConnectionType.RAIL)
                                .withWorldBarriers(1)),
                "ginConnectionType is RAIL",
                "worldGinBarrierCount is 1");
        refused(
                GinError.UNSUPPORTED,
                () -> DeviceCommunicator.create(world, CommunicatorRequirements.DEFAULT.withSignals(1)),
                "ginConnectionType is NONE",
                "ginSignalCount is 1");
        DeviceCommunicator forced = DeviceCommunicator.create(
                world, CommunicatorRequirements.DEFAULT.withForceEnable().withSignals(1));
        assertThat(forced.connectionType()).isEqualTo(ConnectionType.FULL);
        forced.close();
    }

    @EveryMode
    @DisplayName("numbers out of range are refused by the name of their field")
    void unsupported(World world) {
        CommunicatorRequirements full = CommunicatorRequirements.DEFAULT.withConnectionType(ConnectionType.FULL);
        refused(
                GinError.UNSUPPORTED,
                () -> DeviceCommunicator.create(world, full.withSignals(-1)),
                "ginSignalCount is -1");
        refused(
                GinError.UNSUPPORTED,
                () -> DeviceCommunicator.create(world, full.withContexts(0)),
                "ginContextCount is 0");
        refused(
                GinError.UNSUPPORTED,
                () -> DeviceCommunicator.create(world, full.withQueueDepth(1 << 20)),
                "ginQueueDepth",
                "[0, 65536]");
        DeviceCommunicator.create(world, full.withQueueDepth(7)).close();
    }

    @EveryMode
    @DisplayName("requirements that differ are refused on all, with the field and the rank")
    void differ(World world) {
        refused(
                CollectiveMismatchException.class,
                () -> DeviceCommunicator.create(
                        world,
                        CommunicatorRequirements.DEFAULT
                                .withConnectionType(ConnectionType.FULL)
                                .withCounters(world.pe())),
                "ginCounterCount differs: 0 on rank 0, 1 on rank 1");
        world.team().barrier();
    }

    @EveryMode
    @DisplayName("GI-T8 contexts are rounded up to a multiple of the connections, and the real number is reported")
    void contexts(World world) {
        GinFixture gins = GinFixture.open(
                world, requirements -> requirements.withContexts(3).withConnections(2));
        assertThat(gins.comm.contextCount()).isEqualTo(4);
        assertThat(gins.comm.connectionCount()).isEqualTo(2);
        assertThat(gins.gin(3).connectionIndex()).isEqualTo(1);
        assertThatThrownBy(() -> gins.gin(4))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("context 4; allowed are [0, 4)");
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-T9 ranges outside the peer's window or the caller's are refused before anything is sent")
    void bounds(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        long size = GinFixture.BYTES;
        long[][] ranges = {
            {size - 4, 8}, {size, 1}, {Long.MIN_VALUE, 8}, {0, -1}, {Long.MAX_VALUE, 8}, {8, Long.MAX_VALUE}
        };
        for (long[] range : ranges) {
            String text = range[1] + " bytes at offset " + range[0];
            assertThatThrownBy(() -> gin.put(gins.all, gins.right(), gins.window, range[0], gins.window, 0, range[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("put")
                    .hasMessageContaining(text + " of " + gins.window + " of rank " + gins.right())
                    .hasMessageContaining("65536");
            assertThatThrownBy(() -> gin.put(gins.all, gins.right(), gins.window, 0, gins.window, range[0], range[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> gin.get(gins.all, gins.right(), gins.window, range[0], gins.window, 0, range[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        gin.put(gins.all, gins.right(), gins.window, size, gins.window, 0, 0);
        gins.close();
    }

    @EveryMode
    @DisplayName("windows of other places and sizes on each rank: offsets count in the peer's window")
    void unequalWindows(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        Window part = gins.comm.registerWindow(gins.memory, 1024L * (gins.me + 1), 256L << gins.me);
        assertThat(part.byteSize()).isEqualTo(256L << gins.me);
        assertThat(part.byteSize(gins.right())).isEqualTo(256L << gins.right());
        long theirs = part.byteSize(gins.right());
        gin.putValue(gins.all, gins.right(), part, theirs - 1, 77, 1, strongSignalInc(0));
        assertThatThrownBy(() -> gin.putValue(gins.all, gins.right(), part, theirs, 77, 1))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("of rank " + gins.right() + ", which has " + theirs + " bytes");
        gin.waitSignal(0, 1);
        assertThat(gins.memory.bytes().get(1024L * (gins.me + 1) + part.byteSize() - 1))
                .isEqualTo(77);
        gins.meet();
        part.close();
        assertThatThrownBy(() -> gins.comm.registerWindow(
                        gins.memory, gins.me == 0 ? 0 : GinFixture.BYTES, gins.me == 0 ? 8 : 1))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("rank 1 passes 1 bytes at offset 65536 of a block of 65536 bytes");
        refused(
                CollectiveMismatchException.class,
                () -> gins.comm.registerWindow(
                        gins.memory, gins.me == 0 ? new WindowFlag[0] : new WindowFlag[] {WindowFlag.STRICT_ORDERING}),
                "flags of rank 1 differ");
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-T11 peers outside the team are refused with the team")
    void peers(World world) {
        GinFixture gins = GinFixture.open(world);
        for (int peer : new int[] {-1, gins.size, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> gins.gin(0).signal(gins.all, peer, weakSignalInc(0)))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("peer " + peer + " of team {2,");
        }
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-T12 a team view of another rank is refused")
    void foreignTeam(World world) {
        GinFixture gins = GinFixture.open(world);
        AffineTeam foreign = new AffineTeam(2, gins.right(), 1, gins.right());
        refused(
                GinError.FOREIGN,
                () -> gins.gin(0).signal(foreign, 0, weakSignalInc(0)),
                "the team view belongs to rank " + gins.right());
        gins.close();
    }

    @EveryMode
    @DisplayName("GI-T13 a deregistered window is refused, and operations under way are reported at its end")
    void deregistered(World world) {
        GinFixture gins = GinFixture.open(world);
        Window other = gins.comm.registerWindow(gins.memory, 0, 1024);
        if (gins.comm.isDistributed()) {
            if (gins.me == 0) {
                gins.gin(0).put(gins.all, 1, other, 0, other, 512, 512);
            }
            assertThatThrownBy(other::deregister)
                    .isInstanceOfSatisfying(
                            GinException.class, e -> assertThat(e.error()).isEqualTo(GinError.PENDING))
                    .hasMessageContaining("1 operations of rank 0 are not complete");
            gins.gin(0).flush();
        }
        other.deregister();
        other.close();
        assertThatThrownBy(other::deregister).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> gins.gin(0).put(gins.all, 0, other, 0, other, 8, 8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(other + " is deregistered");
        gins.window.deregister();
        gins.comm.destroy();
        gins.memory.free();
        assertThat(world.heapStatistics().usedBytes()).isZero();
        assertThatThrownBy(gins.comm::destroy).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> gins.comm.gin(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the communicator is closed");
    }

    @SpmdTest(
            pes = 4,
            seeds = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.SIM})
    @DisplayName("a communicator of a split team, and operations in any team of it")
    void anyTeam(World world) {
        Team odd = world.team().splitByColor(world.pe() % 2, -world.pe());
        DeviceCommunicator comm = DeviceCommunicator.create(
                world,
                odd,
                CommunicatorRequirements.DEFAULT
                        .withConnectionType(ConnectionType.FULL)
                        .withSignals(1));
        assertThat(comm.size()).isEqualTo(2);
        assertThat(comm.rank()).isEqualTo(odd.member());
        SymmetricMemory memory = odd.allocate(64);
        Window window = comm.registerWindow(memory);
        memory.longs().set(0, 10 + world.pe());
        comm.gin(0).put(comm.worldTeam(), 1 - comm.rank(), window, 8, window, 0, 8, weakSignalInc(0));
        comm.gin(0).waitSignal(0, 1);
        assertThat(memory.longs().get(1)).isEqualTo(10 + (world.pe() + 2) % 4);
        comm.gin(0).quiet();
        odd.sync();
        window.close();
        comm.close();
        memory.close();

        Team reversed = world.team().splitStrided(3, -1, 4);
        GinFixture gins = GinFixture.open(world);
        ListedTeam listed = gins.comm.team(reversed);
        assertThat(listed.rank()).isEqualTo(3 - world.pe());
        gins.gin(0).signal(listed, 0, strongSignalInc(5));
        gins.gin(0).quiet();
        gins.meet();
        assertThat(gins.gin(0).readSignal(5)).isEqualTo(world.pe() == 3 ? 4 : 0);
        assertThat(Arrays.stream(reversed.pes()).toArray()).containsExactly(3, 2, 1, 0);
        gins.close();
        reversed.close();
        odd.close();
    }

    @EveryMode
    @DisplayName("resources: memory, signals and counters after the plain ones")
    void resources(World world) {
        ResourceRequirement first = ResourceRequirement.of(100, 8, 2, 1);
        ResourceRequirement second = ResourceRequirement.of(64, 256, 1, 0);
        GinFixture gins = GinFixture.open(
                world, requirements -> requirements.withResource(first).withResource(second));
        assertThat(gins.comm.resources(first)).isEqualTo(new Resources(0, 8, 2, 4, 1));
        assertThat(gins.comm.resources(second)).isEqualTo(new Resources(256, 10, 1, 5, 0));
        assertThat(gins.comm.signalCount()).isEqualTo(11);
        assertThat(gins.comm.counterCount()).isEqualTo(5);
        assertThat(gins.comm.resourceWindow().byteSize()).isEqualTo(320);
        assertThatThrownBy(() -> gins.comm.resources(ResourceRequirement.of(100, 8, 2, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        Gin gin = gins.gin(0);
        Window window = gins.comm.resourceWindow();
        gin.putValue(gins.all, gins.right(), window, 256, 5, 8, weakSignalInc(10));
        gin.waitSignal(10, 1);
        gin.quiet();
        gins.meet();
        gins.close();
    }
}
