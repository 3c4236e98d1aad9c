// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// One operation of each family of the API between all PEs of a job, with results that only the right bytes give.
final class HostsWork {
    static final int LONGS = 100_000;
    private static final int ROUNDS = 50;

    /// The state of a socket in the kernel's table.
    private static final String LISTENING = "0A";

    private HostsWork() {}

    /// Prints a line when all results are right.
    static void run(World world) throws IOException {
        putsAndGets(world);
        atomics(world);
        putsWithSignal(world);
        collectives(world.team());
        teams(world.team());
        listensOn(world);
        System.out.println("PE " + world.pe() + " of " + world.size() + " is right");
    }

    private static long[] content(int pe, int round) {
        long[] content = new long[LONGS];
        Arrays.setAll(content, i -> 31L * i + 1_000_003L * pe + round);
        return content;
    }

    private static void putsAndGets(World world) {
        int n = world.size();
        int left = (world.pe() + n - 1) % n;
        int right = (world.pe() + 1) % n;
        try (SymmetricMemory memory = world.allocate((long) LONGS * Long.BYTES)) {
            LongView longs = memory.longs();
            longs.put(0, content(world.pe(), 1), 0, LONGS, right);
            world.team().barrier();
            assertThat(memory.segment().toArray(JAVA_LONG)).isEqualTo(content(left, 1));
            long[] back = new long[LONGS];
            longs.get(0, back, 0, LONGS, right);
            assertThat(back).isEqualTo(content(world.pe(), 1));
            world.team().barrier();
        }
    }

    /// All PEs count in words of each PE, in all widths; each width wraps as the processor's does.
    private static void atomics(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(64)) {
            world.team().barrier();
            for (int round = 0; round < ROUNDS; round++) {
                for (int pe = 0; pe < n; pe++) {
                    memory.longs().add(0, 1, pe);
                    memory.ints().getAndAdd(2, 1, pe);
                    memory.shorts().add(6, 1, pe);
                    memory.bytes().getAndAdd(14, 1, pe);
                }
            }
            long old;
            do {
                old = memory.longs().getAcquire(2, 0);
            } while (memory.longs().compareAndExchange(2, old, old + 1 + world.pe(), 0) != old);
            world.team().barrier();
            int all = n * ROUNDS;
            assertThat(memory.longs().get(0)).isEqualTo(all);
            assertThat(memory.ints().get(2)).isEqualTo(all);
            assertThat(memory.shorts().get(6)).isEqualTo((short) all);
            assertThat(memory.bytes().get(14)).isEqualTo((byte) all);
            assertThat(memory.longs().get(2, 0)).isEqualTo(n * (n + 1L) / 2);
            world.team().barrier();
        }
    }

    /// A ring: each PE passes on what its left neighbour has sent, short and long.
    private static void putsWithSignal(World world) {
        int n = world.size();
        int left = (world.pe() + n - 1) % n;
        int right = (world.pe() + 1) % n;
        try (SymmetricMemory memory = world.allocate((long) LONGS * Long.BYTES);
                SymmetricMemory signal = world.allocate(Long.BYTES)) {
            int round = 0;
            for (int count : new int[] {0, 1, 255, 257, LONGS}) {
                round++;
                MemorySegment source = MemorySegment.ofArray(content(world.pe(), round));
                memory.longs().putSignal(0, source, 0, count, signal.signal(0).adding(1), right);
                signal.signal(0).waitUntil(Comparison.GE, round);
                long[] expected = content(left, round);
                for (int i = 0; i < count; i++) {
                    assertThat(memory.longs().get(i)).isEqualTo(expected[i]);
                }
                world.team().barrier();
            }
        }
    }

    private static void collectives(Team team) {
        int n = team.size();
        try (SymmetricMemory memory = team.allocate(4L * n * Long.BYTES)) {
            LongView mine = memory.longs().slice(0, n);
            LongView result = memory.longs().slice(n, n);
            for (int i = 0; i < n; i++) {
                mine.set(i, 100L * team.member() + i);
            }
            team.allToAll(result, 0, mine, 0, 1);
            for (int i = 0; i < n; i++) {
                assertThat(result.get(i)).isEqualTo(100L * i + team.member());
            }
            team.allGather(result, 0, mine, 0, 1);
            for (int i = 0; i < n; i++) {
                assertThat(result.get(i)).isEqualTo(100L * i);
            }
            team.broadcast(result, 0, mine, 0, n, n - 1);
            assertThat(result.get(0)).isEqualTo(100L * (n - 1));
            team.allReduce(Reduction.MAX, result, 0, mine, 0, n);
            assertThat(result.get(n - 1)).isEqualTo(100L * (n - 1) + n - 1);
            assertThat(team.sum(team.member() + 1L)).isEqualTo(n * (n + 1L) / 2);
            team.barrier();
        }
    }

    /// Teams that have members on several hosts, and teams that have not.
    private static void teams(Team world) {
        Team color = world.splitByColor(world.member() % 2, -world.member());
        collectives(color);
        color.close();
        Team strided = world.splitStrided(0, 1, world.size() - 1);
        if (strided.isValid()) {
            collectives(strided);
            strided.close();
        }
        world.barrier();
    }

    /// Over UCX a PE listens on the address of its host alone, which the network's other hosts have.
    private static void listensOn(World world) throws IOException {
        Set<String> own = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                if (Files.exists(descriptor, LinkOption.NOFOLLOW_LINKS)) {
                    own.add(Files.readSymbolicLink(descriptor).toString());
                }
            }
        }
        List<String> listening = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields[3].equals(LISTENING) && own.contains("socket:[" + fields[9] + "]")) {
                    listening.add(fields[1]);
                }
            }
        }
        System.out.println("PE " + world.pe() + " listens on " + listening);
    }
}
