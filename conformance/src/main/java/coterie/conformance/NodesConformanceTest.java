// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Nodes that are overridden: PEs of one node load and store each other's memory, those of different ones reach
/// each other through the conduit, and all that is said of operations holds all the same, also where both ways
/// meet in one word.
class NodesConformanceTest {
    private static final int PES = 5;
    private static final List<Integer> NODES = List.of(0, 0, 0, 1, 1);

    /// Whether anything is loaded and stored at all but what is a PE's own.
    private static boolean direct() {
        return !Rounds.simulated()
                && !"false".equals(System.getProperty("coterie.load.store", System.getenv("COTERIE_LOAD_STORE")));
    }

    /// PEs 0 to 2 on a node, 3 and 4 on another.
    @Retention(RetentionPolicy.RUNTIME)
    @Target(java.lang.annotation.ElementType.METHOD)
    @SpmdTest(pes = PES, nodes = "a:3,b:2")
    private @interface OnTwoNodes {}

    @OnTwoNodes
    @DisplayName("the memory of PEs of my node is mapped, that of others is not, and all can be reached")
    void memoryOfMyNodeIsMapped(World world) {
        try (SymmetricMemory memory = world.allocate(64)) {
            assertThat(mapped(memory)).isEqualTo(direct() ? onNodeOf(world.pe()) : List.of(world.pe()));
            assertThat(IntStream.range(0, PES)).allMatch(memory::isAccessible).allMatch(world::isAccessible);
        }
    }

    @OnTwoNodes
    @DisplayName(
            "SH-T44 nodes of three and of two: teams of the nodes, and of those that have the same index on theirs")
    void teamsOfNodes(World world) {
        int me = world.pe();
        assertThat(boxed(world.nodeTeam())).isEqualTo(onNodeOf(me));
        assertThat(boxed(world.sharedTeam())).isEqualTo(direct() ? onNodeOf(me) : List.of(me));
        assertThat(boxed(world.sameIndexTeam())).isEqualTo(me == 2 ? List.of(2) : List.of(me % 3, me % 3 + 3));
        for (Team team : List.of(world.nodeTeam(), world.sharedTeam(), world.sameIndexTeam())) {
            assertThat(team.pe(team.member())).isEqualTo(me);
            for (int round = 0; round < 20; round++) {
                assertThat(team.sum(1L << me))
                        .isEqualTo(
                                boxed(team).stream().mapToLong(pe -> 1L << pe).sum());
            }
            try (Team reversed = team.splitStrided(team.size() - 1, -1, team.size())) {
                assertThat(reversed.sum(1L)).isEqualTo(team.size());
            }
        }
        try (Team leaders = world.team().splitByColor(world.nodeTeam().member() == 0 ? 0 : -1, 0)) {
            assertThat(boxed(leaders)).isEqualTo(me % 3 == 0 ? List.of(0, 3) : List.of());
        }
    }

    private static List<Integer> boxed(Team team) {
        return IntStream.of(team.pes()).boxed().toList();
    }

    @SpmdTest(pes = PES, nodes = "a:2,b:1,a:1,c:1")
    @DisplayName("SH-T44 nodes whose PEs are not neighbours: teams in the order of PEs, same indices in that of nodes")
    void teamsOfScatteredNodes(World world) {
        boolean onFirst = world.pe() != 2 && world.pe() != 4;
        assertThat(boxed(world.nodeTeam())).isEqualTo(onFirst ? List.of(0, 1, 3) : List.of(world.pe()));
        List<Integer> sameIndex = world.pe() == 1 || world.pe() == 3 ? List.of(world.pe()) : List.of(0, 2, 4);
        assertThat(boxed(world.sameIndexTeam())).isEqualTo(sameIndex);
        assertThat(world.sameIndexTeam().sum(1L)).isEqualTo(sameIndex.size());
    }

    @SpmdTest(pes = PES, nodes = "a:2,b:1,a:1,c:1")
    @DisplayName("a node's PEs need not follow each other, and a PE may be alone on one")
    void nodesMayBeAnyPes(World world) {
        List<Integer> mine = world.pe() == 2 || world.pe() == 4 ? List.of(world.pe()) : List.of(0, 1, 3);
        try (SymmetricMemory memory = world.allocate(8L * PES)) {
            assertThat(mapped(memory)).isEqualTo(direct() ? mine : List.of(world.pe()));
            exchange(world, memory.longs());
        }
    }

    @OnTwoNodes
    @DisplayName("puts, gets and plain stores of all PEs to all PEs arrive")
    void everyPairExchanges(World world) {
        try (SymmetricMemory memory = world.allocate(8L * PES)) {
            exchange(world, memory.longs());
            for (int pe : mapped(memory)) {
                memory.segment(pe).orElseThrow().setAtIndex(JAVA_LONG, world.pe(), 7_000 + world.pe());
            }
            world.team().barrier();
            for (int pe : mapped(memory)) {
                assertThat(Longs.get(memory, pe)).isEqualTo(7_000 + pe);
            }
        }
    }

    /// Every PE puts a word to every PE, and gets every word of every PE.
    private static void exchange(World world, IntegerView words) {
        for (int pe = 0; pe < PES; pe++) {
            MemorySegment word = Longs.counting(value(world.pe(), pe), 1);
            words.putNbi(world.pe(), word, 0, 1, pe);
            words.put(world.pe(), word, 0, 1, pe);
        }
        world.team().barrier();
        MemorySegment fetched = MemorySegment.ofArray(new long[2 * PES]);
        for (int pe = 0; pe < PES; pe++) {
            words.getNbi(0, fetched, 0, PES, pe);
            words.get(0, fetched, PES, PES, pe);
            world.context().quiet(pe);
            for (int from = 0; from < PES; from++) {
                assertThat(fetched.getAtIndex(JAVA_LONG, from)).isEqualTo(value(from, pe));
                assertThat(fetched.getAtIndex(JAVA_LONG, PES + from)).isEqualTo(value(from, pe));
                assertThat(words.get(from, pe)).isEqualTo(value(from, pe));
            }
        }
        world.team().barrier();
    }

    private static long value(int from, int to) {
        return 1 + from * 10L + to;
    }

    @OnTwoNodes
    @DisplayName(
            "atomics of all PEs on one word agree at every width, whichever way they take; what is beside it stays")
    void atomicsAgree(World world) {
        int rounds = Rounds.of(2_000);
        MemorySegment before = MemorySegment.ofArray(new long[1]);
        try (SymmetricMemory memory = world.allocate(6 * Long.BYTES)) {
            for (IntegerView words : List.of(memory.bytes(), memory.shorts(), memory.ints(), memory.longs())) {
                int target = PES - 1;
                for (int round = 0; round < rounds; round++) {
                    words.add(1, 1, target);
                    words.getAndAdd(1, 2, target);
                    words.fetchNbi(AtomicOperation.ADD, 1, 3, before, 0, target);
                    words.xor(3, 1L << world.pe(), target);
                    raise(words, 5, target);
                }
                world.team().barrier();
                if (world.pe() == target) {
                    int bits = Long.SIZE - 8 * words.type().byteSize();
                    assertThat(words.get(1)).isEqualTo((6L * rounds * PES) << bits >> bits);
                    assertThat(words.get(3))
                            .as("each bit was turned an even number of times")
                            .isZero();
                    assertThat(words.get(5)).isEqualTo(((long) rounds * PES) << bits >> bits);
                    assertThat(words.get(0)).isZero();
                    assertThat(words.get(2)).isZero();
                    assertThat(words.get(4)).isZero();
                    memory.segment().fill((byte) 0);
                }
                world.team().barrier();
            }
        }
    }

    /// Adds 1 by compare-and-swap.
    private static void raise(IntegerView words, long index, int pe) {
        long seen = words.getAcquire(index, pe);
        long found = words.compareAndExchange(index, seen, seen + 1, pe);
        while (found != seen) {
            seen = found;
            found = words.compareAndExchange(index, seen, seen + 1, pe);
        }
    }

    @OnTwoNodes
    @DisplayName("a token goes round over both nodes by put with signal; a PE that sees the signal sees the bytes")
    void signalsCarryBytes(World world) {
        int right = (world.pe() + 1) % PES;
        int length = 100;
        try (SymmetricMemory memory = world.allocate(8L * (length + 1))) {
            LongView words = memory.longs();
            SignalWord arrived = memory.signal(length);
            for (long lap = 1; lap <= 200; lap++) {
                if (world.pe() > 0) {
                    assertArrived(arrived, memory, lap, length);
                }
                words.putSignal(0, Longs.counting(lap * 1_000, length), 0, length, arrived.adding(1), right);
                if (world.pe() == 0) {
                    assertArrived(arrived, memory, lap, length);
                }
            }
        }
    }

    private static void assertArrived(SignalWord arrived, SymmetricMemory memory, long lap, int length) {
        arrived.waitUntil(Comparison.GE, lap);
        for (int i = 0; i < length; i++) {
            if (Longs.get(memory, i) != lap * 1_000 + i) {
                throw new AssertionError("lap " + lap + ", word " + i + ": " + Longs.get(memory, i));
            }
        }
    }

    @OnTwoNodes
    @DisplayName("what was put before a fence is there before what was put after it, on either node")
    void fenceOrdersTowardsEach(World world) {
        // Two words of data for each PE, in turn: a PE in the next round does not overwrite what others still
        // read.
        int rounds = Rounds.of(500);
        try (SymmetricMemory memory = world.allocate(24L * PES)) {
            LongView words = memory.longs();
            for (long round = 1; round <= rounds; round++) {
                long parity = round % 2;
                for (int pe = 0; pe < PES; pe++) {
                    words.put(3L * world.pe() + parity, round, pe);
                }
                world.context().fence();
                for (int pe = 0; pe < PES; pe++) {
                    words.setRelease(3L * world.pe() + 2, round, pe);
                }
                for (int pe = 0; pe < PES; pe++) {
                    words.waitUntil(3L * pe + 2, Comparison.GE, round);
                    if (words.get(3L * pe + parity) != round) {
                        throw new AssertionError(
                                "round " + round + ": PE " + pe + " put " + words.get(3L * pe + parity));
                    }
                }
            }
            world.team().barrier();
        }
    }

    @OnTwoNodes
    @DisplayName("quiet towards some PEs completes the puts to them: a PE that is notified afterwards sees the data")
    void quietCompletesTowardsEach(World world) {
        // Two halves, in turn: a PE in the next round does not overwrite what others still read.
        try (SymmetricMemory memory = world.allocate(8L * (2 * PES + 1))) {
            LongView words = memory.longs();
            int rounds = Rounds.of(200);
            for (long round = 1; round <= rounds; round++) {
                long half = round % 2 * PES;
                int right = (world.pe() + 1) % PES;
                int left = (world.pe() + PES - 1) % PES;
                words.putNbi(half + world.pe(), Longs.counting(round, 1), 0, 1, right);
                words.putNbi(half + world.pe(), Longs.counting(round, 1), 0, 1, left);
                world.context().quiet(left, right);
                for (int pe = 0; pe < PES; pe++) {
                    words.add(2 * PES, 1, pe);
                }
                words.waitUntil(2 * PES, Comparison.GE, round * PES);
                assertThat(words.get(half + left)).isEqualTo(round);
                assertThat(words.get(half + right)).isEqualTo(round);
            }
            world.team().barrier();
        }
    }

    @OnTwoNodes
    @DisplayName("barriers, sums and broadcasts from each root are right, back to back")
    void collectivesAreRight(World world) {
        Team team = world.team();
        int count = 1_003;
        try (SymmetricMemory source = world.allocate(8L * count);
                SymmetricMemory target = world.allocate(8L * count)) {
            for (int root = 0; root < PES; root++) {
                for (int i = 0; i < count; i++) {
                    Longs.set(source, i, 1_000_000L * root + 1_000L * world.pe() + i);
                }
                assertThat(team.sum((long) world.pe() + root)).isEqualTo(10 + 5L * root);
                assertThat(team.sum(world.pe() * 0.5)).isEqualTo(5.0);
                team.allReduce(Reduction.SUM, target.longs(), 0, source.longs(), 0, count);
                for (int i = 0; i < count; i++) {
                    assertThat(Longs.get(target, i)).isEqualTo(5_000_000L * root + 10_000 + 5L * i);
                }
                team.broadcast(target.longs(), 0, source.longs(), 0, count, root);
                for (int i = 0; i < count; i++) {
                    assertThat(Longs.get(target, i)).isEqualTo(1_000_000L * root + 1_000L * root + i);
                }
                team.barrier();
            }
        }
    }

    @OnTwoNodes
    @DisplayName("blocks are zeroed, move with their content, and are freed, on both nodes alike")
    void blocksAreMadeMovedAndFreed(World world) {
        SymmetricMemory first = world.allocate(4_096);
        SymmetricMemory behind = world.allocate(64);
        first.longs().put(world.pe(), 100 + world.pe(), (world.pe() + 2) % PES);
        SymmetricMemory moved = first.reallocate(1 << 20);
        int from = (world.pe() + PES - 2) % PES;
        for (int pe = 0; pe < PES; pe++) {
            int giver = (pe + PES - 2) % PES;
            assertThat(moved.longs().get(giver, pe)).isEqualTo(100 + giver);
            assertThat(moved.longs().get((1 << 17) - 1, pe)).isZero();
        }
        assertThat(moved.longs().get(from)).isEqualTo(100 + from);
        behind.close();
        moved.close();
        assertThat(world.heapStatistics().blocks()).isZero();
    }

    @OnTwoNodes
    @DisplayName("a lock whose holders are of both nodes lets one in at a time, and shows it what the last one put")
    void locksExclude(World world) {
        long behind = SymmetricLock.BYTES / Long.BYTES;
        int rounds = Rounds.of(200);
        try (SymmetricMemory block = world.allocate(4 * SymmetricLock.BYTES)) {
            LongView words = block.longs();
            for (int home = 0; home < PES; home += PES - 1) {
                for (int round = 0; round < rounds; round++) {
                    SymmetricLock lock = block.lock(0);
                    lock.lock();
                    long count = words.get(behind, home);
                    assertThat(words.get(behind + 1, PES - 1 - home)).isEqualTo(count);
                    words.put(behind, count + 1, home);
                    words.put(behind + 1, count + 1, PES - 1 - home);
                    lock.unlock();
                }
                world.team().barrier();
                assertThat(words.get(behind, home)).isEqualTo((long) rounds * PES);
                world.team().barrier();
            }
        }
    }

    private static List<Integer> mapped(SymmetricMemory memory) {
        return IntStream.range(0, PES)
                .filter(pe -> memory.segment(pe).isPresent())
                .boxed()
                .toList();
    }

    private static List<Integer> onNodeOf(int pe) {
        return IntStream.range(0, PES)
                .filter(other -> NODES.get(other).equals(NODES.get(pe)))
                .boxed()
                .toList();
    }
}
