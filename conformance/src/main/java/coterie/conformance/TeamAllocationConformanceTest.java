// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.HeapStatistics;
import coterie.LongView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;

/// Symmetric memory that a team allocates.
class TeamAllocationConformanceTest {

    @EverySize
    @DisplayName("a team's memory is zero, and its PE numbers are the team's")
    void numbersAreTheTeams(World world) {
        Team reversed = world.team().splitStrided(world.size() - 1, -1, world.size());
        SymmetricMemory memory = reversed.allocate(24);
        assertThat(memory.segment().toArray(JAVA_BYTE)).containsOnly(0);
        reversed.barrier();
        LongView longs = memory.longs();
        int right = (reversed.member() + 1) % reversed.size();
        longs.put(0, 100 + reversed.member(), right);
        longs.add(1, 7, right);
        reversed.barrier();
        int left = (reversed.member() + reversed.size() - 1) % reversed.size();
        assertThat(longs.get(0)).isEqualTo(100 + left);
        assertThat(longs.get(1, reversed.member())).isEqualTo(7);
        assertThat(longs.context()).isSameAs(reversed.context());
        assertThat(longs.context().team()).isSameAs(reversed);
        assertThat(memory.segment(reversed.member())).isPresent();
        assertThat(memory.segment(world.team(), world.pe())).isPresent();
        assertThat(memory.isAccessible(reversed.size())).isFalse();
        memory.close();
        assertThatThrownBy(() -> longs.get(0)).isInstanceOf(IllegalStateException.class);
        reversed.close();
    }

    @SpmdTest(pes = {3, 4, 5})
    @DisplayName("signals, waits and locks in a team's memory name its members")
    void signalsAndLocks(World world) {
        Team team = world.team().splitByColor(world.pe() % 2, -world.pe());
        SymmetricMemory memory = team.allocate(64);
        SignalWord arrived = memory.signal(0);
        int right = (team.member() + 1) % team.size();
        memory.longs()
                .putSignal(1, MemorySegment.ofArray(new long[] {team.member() + 5}), 0, 1, arrived.adding(1), right);
        arrived.waitUntil(Comparison.GE, 1);
        assertThat(memory.longs().get(1)).isEqualTo((right + team.size() - 2) % team.size() + 5);
        SymmetricLock lock = memory.lock(2);
        for (int round = 0; round < 20; round++) {
            lock.lock();
            memory.longs().put(3, memory.longs().get(3, 0) + 1, 0);
            lock.unlock();
        }
        team.barrier();
        assertThat(memory.longs().get(3, 0)).isEqualTo(20L * team.size());
        team.close(); // frees the memory
        assertThatThrownBy(() -> memory.longs().get(0)).isInstanceOf(IllegalStateException.class);
    }

    @SpmdTest(pes = {2, 3, 4})
    @DisplayName("collectives and requests of the team, and of teams in it, use its memory")
    void collectivesUseIt(World world) {
        Team team = world.team().splitStrided(0, 1, world.size());
        Team inner = team.splitByColor(team.member() % 2, 0);
        SymmetricMemory memory = team.allocate(4096);
        LongView longs = memory.longs();
        longs.set(0, team.member() + 1);
        team.allReduce(Reduction.SUM, longs, 100, longs, 0, 1);
        assertThat(longs.get(100)).isEqualTo((long) team.size() * (team.size() + 1) / 2);
        inner.broadcast(longs, 101, longs, 0, 1, 0);
        assertThat(longs.get(101)).isEqualTo(inner.pe(0) + 1);
        Request sum = team.prepare(
                Collective.allReduce(Reduction.MAX).source(longs, 0, 1).target(longs, 102, 1));
        sum.post();
        sum.await();
        assertThat(longs.get(102)).isEqualTo(team.size());
        sum.close();
        memory.close();
        if (inner.size() > 0) {
            inner.close();
        }
        team.close();
    }

    @SpmdTest(
            pes = {4, 5},
            heapBytes = 1 << 20)
    @DisplayName("teams with different histories meet at a place that is free on all of their members")
    void differentHistories(World world) {
        Team half = world.team().splitByColor(world.pe() < 2 ? 0 : 1, 0);
        Team pairs = world.team().splitByColor(world.pe() % 2, 0);
        SplittableRandom random = new SplittableRandom(world.pe() < 2 ? 1 : 2);
        SplittableRandom common = new SplittableRandom(3 + world.pe() % 2);
        Deque<SymmetricMemory> taken = new ArrayDeque<>();
        for (int round = 0; round < 30; round++) {
            taken.add(half.allocate(1 + random.nextInt(8_000)));
            if (random.nextInt(3) == 0) {
                taken.removeFirst().close();
            }
            SymmetricMemory pair = pairs.allocate(1 + common.nextInt(8_000));
            assertThat(pair.segment().toArray(JAVA_BYTE)).containsOnly(0);
            pairs.barrier();
            fillAndCheck(pairs, pair, round);
            SymmetricMemory all = world.allocate(512);
            fillAndCheck(world.team(), all, round);
            if (round % 4 != 0) {
                pair.close();
            }
            all.close();
        }
        taken.forEach(SymmetricMemory::close);
        pairs.close();
        half.close();
        assertThat(world.heapStatistics().blocks()).isZero();
        world.allocate(world.heapStatistics().byteSize()).close();
    }

    /// Each member writes a block of its right neighbour whole, and checks its own.
    private static void fillAndCheck(Team team, SymmetricMemory memory, int round) {
        byte[] bytes = new byte[(int) memory.byteSize()];
        Arrays.fill(bytes, (byte) (team.member() + round + 1));
        memory.bytes().put(0, bytes, 0, bytes.length, (team.member() + 1) % team.size());
        team.barrier();
        int left = (team.member() + team.size() - 1) % team.size();
        assertThat(memory.segment().toArray(JAVA_BYTE)).containsOnly(left + round + 1);
        team.barrier();
    }

    @SpmdTest(pes = {3, 4})
    @DisplayName("a PE outside the team can't be named, and collectives of other teams refuse the memory")
    void outsidersAreRefused(World world) {
        Team most = world.team().splitStrided(1, 1, world.size() - 1);
        HeapStatistics before = world.heapStatistics();
        if (!most.isValid()) {
            assertThat(most.context()).isSameAs(Context.INVALID);
            assertThatThrownBy(() -> most.allocate(8)).isInstanceOf(IllegalStateException.class);
        } else {
            SymmetricMemory memory = most.allocate(64);
            LongView longs = memory.longs();
            assertThatThrownBy(() -> longs.put(0, 1, most.size())).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> longs.through(world.context()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PE 0 of the world is not a member of the team")
                    .hasMessageContaining(most.name());
            assertThatThrownBy(() -> world.team().broadcast(longs, 0, longs, 1, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not memory of PE 0");
            assertThatThrownBy(() -> world.team()
                            .prepare(Collective.broadcast(0).source(longs, 0, 1).target(longs, 0, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not memory of PE 0");
            assertThat(memory.segment(world.team(), 0)).isEmpty();
            try (Context mine = most.createContext(ContextOption.PRIVATE)) {
                longs.through(mine).put(0, 1, 0);
            }
            memory.close();
        }
        assertThat(world.heapStatistics().usedBytes()).isEqualTo(before.usedBytes());
        world.team().barrier();
        if (most.isValid()) {
            most.close();
        }
    }

    @SpmdTest(pes = {3, 4})
    @DisplayName("a put to a PE may not update a signal that this PE does not have")
    void signalOfAnotherTeam(World world) {
        Team most = world.team().splitStrided(1, 1, world.size() - 1);
        SymmetricMemory all = world.allocate(64);
        if (most.isValid()) {
            SymmetricMemory memory = most.allocate(8);
            MemorySegment one = MemorySegment.ofArray(new long[] {1});
            assertThatThrownBy(() ->
                            all.longs().putSignal(0, one, 0, 1, memory.signal(0).adding(1), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PE 0 of the world is not a member of the team");
            all.longs().putSignal(0, one, 0, 1, memory.signal(0).adding(1), most.pe(0));
            most.barrier();
            if (most.member() == 0) {
                memory.signal(0).waitUntil(Comparison.EQ, most.size());
            }
            memory.close();
            most.close();
        }
        world.team().barrier();
        all.close();
    }

    @SpmdTest(
            pes = {2, 4},
            heapBytes = 1 << 20)
    @DisplayName("what one member can't provide, or asks for otherwise, is refused on all, and takes no memory")
    void refusedOnAll(World world) {
        Team team = world.team().splitStrided(0, 1, world.size());
        SymmetricMemory own = null;
        Team alone = world.team().splitByColor(world.pe(), 0);
        if (world.pe() == 1) {
            own = alone.allocate(700_000);
        }
        HeapStatistics before = world.heapStatistics();
        assertThatThrownBy(() -> team.allocate(500_000))
                .isInstanceOf(SymmetricMemoryException.class)
                .hasMessageContaining("allocate on team \"" + team.name() + "\"")
                .hasMessageContaining(world.pe() == 1 ? "500000 bytes asked" : "PE 1 can't give its part");
        assertThatThrownBy(() -> team.allocate(world.pe() == 0 ? 64 : 128))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("allocate");
        assertThatThrownBy(() -> team.allocate(64, world.pe() == 0 ? 3 : 64))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(world.heapStatistics().usedBytes()).isEqualTo(before.usedBytes());
        assertThat(team.allocate(0).byteSize()).isZero();
        SymmetricMemory later = team.allocate(100_000);
        later = later.reallocate(150_000);
        fillAndCheck(team, later, 1);
        later.close();
        if (own != null) {
            own.close();
        }
        alone.close();
        team.close();
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("0 bytes on one member alone: its next collective and the others' allocation report the mismatch")
    void emptyOnOneMember(World world) {
        Team team = world.team().duplicate();
        if (world.pe() == 0) {
            assertThat(team.allocate(0).byteSize()).isZero();
        }
        assertThatThrownBy(() -> {
                    if (world.pe() == 0) {
                        team.barrier();
                    } else {
                        team.allocate(7);
                    }
                })
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("allocate")
                .hasMessageContaining("barrier");
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("memory that moves keeps its content, also where members' free places differ")
    void reallocated(World world) {
        Team alone = world.team().splitByColor(world.pe(), 0);
        Team team = world.team().splitStrided(0, 1, world.size());
        SymmetricMemory block = team.allocate(1000);
        block.segment().fill((byte) (world.pe() + 1));
        SymmetricMemory mine = alone.allocate(10_000L * (world.pe() + 1));
        block = block.reallocate(5_000);
        assertThat(block.segment().asSlice(0, 1000).toArray(JAVA_BYTE)).containsOnly(world.pe() + 1);
        assertThat(block.segment().asSlice(1000).toArray(JAVA_BYTE)).containsOnly(0);
        team.barrier();
        fillAndCheck(team, block, 3);
        mine.close();
        block = block.reallocate(100_000);
        assertThat(block.segment().asSlice(0, 5000).toArray(JAVA_BYTE))
                .containsOnly((team.member() + team.size() - 1) % team.size() + 4);
        team.barrier();
        fillAndCheck(team, block.reallocate(10), 5);
        team.close();
        alone.close();
    }

    @SpmdTest(pes = {2, 4})
    @DisplayName("a team whose memory a request uses stays, and ends after the request")
    void requestsKeepIt(World world) {
        Team team = world.team().splitStrided(0, 1, world.size());
        Team inner = team.duplicate();
        LongView longs = team.allocate(64).longs();
        Request request = inner.prepare(Collective.allReduce(Reduction.SUM)
                .source(longs, 0, 1)
                .target(longs, 1, 1)
                .persistent());
        if (world.pe() == 0) {
            request.post();
        }
        world.team().barrier();
        if (world.pe() == 0) {
            assertThatThrownBy(team::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("PE 0");
        }
        world.team().barrier(); // until here the request can't end
        if (world.pe() != 0) {
            request.post();
        }
        request.await();
        request.close();
        team.close();
        inner.close();
    }

    @SpmdTest(pes = {1, 3})
    @DisplayName("freeLiving frees a block of a revoked team, which free refuses")
    void freeLiving(World world) {
        Team team = world.team().splitStrided(0, 1, world.size());
        SymmetricMemory memory = team.allocate(1000);
        team.syncLiving(); // so that all have the memory
        team.revoke();
        assertThatThrownBy(memory::free).isInstanceOf(TeamRevokedException.class);
        assertThat(memory.longs().get(0)).isZero();
        memory.freeLiving();
        memory.freeLiving();
        assertThatThrownBy(() -> memory.longs().get(0)).isInstanceOf(IllegalStateException.class);
        assertThat(world.heapStatistics().usedBytes()).isZero();
        team.close();
    }
}
