// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.posix.AddressSpace;
import coterie.internal.posix.Libc;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.PeThreadGroup;
import coterie.sim.explore.Explorer;
import coterie.spi.Bootstrap;
import coterie.spi.Network;
import coterie.spi.Simulator;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Simulated jobs inside the test's own JVM, without a launcher: one performance each.
public final class SimJob {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int KILLED = 137;

    private SimJob() {}

    /// What a PE does.
    @FunctionalInterface
    public interface Body {
        void run(World world) throws Exception;
    }

    /// What a PE does that has a place on the stage, and no world.
    @FunctionalInterface
    public interface Bare {
        void run(int pe, JobSegment job, Network network) throws Exception;
    }

    /// What a PE does between entering the stage and leaving it; returns what it has thrown, or null.
    @FunctionalInterface
    private interface Part {
        @Nullable
        Throwable play(int pe, JobSegment job, NetworkSimulator stage);
    }

    /// What a PE does in an exploration: before, in and after the part whose orders are gone through.
    interface Explored {
        /// Begins with an allocation of `bytes` bytes, zeroed, and comes to its end; returns what the PE has seen.
        String run(World world, SymmetricMemory memory);
    }

    /// All that the PEs have seen, in any order of the part, each PE's in the order of the PEs.
    static Set<String> explore(int size, long bytes, Explored part) {
        return explore(size, bytes, "races=off", part, new Explorer());
    }

    static Set<String> explore(int size, long bytes, String script, Explored part, Explorer explorer) {
        Set<String> seen = new TreeSet<>();
        boolean more = true;
        while (more) {
            String[] outcome = new String[size];
            NetworkSimulator[] stage = new NetworkSimulator[1];
            List<Integer> nodes = Collections.nCopies(size, 0);
            Outcome played = play(nodes, script, ThreadLevel.SINGLE, stage, new ArrayList<>(), world -> {
                try (SymmetricMemory memory = world.allocate(bytes)) {
                    world.team().barrier();
                    stage[0].part(world.pe(), explorer);
                    try {
                        outcome[world.pe()] = part.run(world, memory);
                    } finally {
                        stage[0].part(world.pe(), null);
                    }
                }
            });
            if (!played.failures().isEmpty()) {
                throw new AssertionError(
                        explorer.way(), played.failures().values().iterator().next());
            }
            seen.add(String.join(" ", outcome).strip());
            more = explorer.advance();
        }
        return seen;
    }

    /// How a performance has ended.
    ///
    /// @param digest of all events
    /// @param failures what PEs threw
    public record Outcome(String digest, String story, Map<Integer, Throwable> failures) {}

    public static Outcome play(int size, String script, Body body) {
        return play(Collections.nCopies(size, 0), script, body);
    }

    static Outcome play(List<Integer> nodes, String script, Body body) {
        return play(nodes, script, ThreadLevel.SINGLE, new NetworkSimulator[1], new ArrayList<>(), body);
    }

    static Outcome playAt(ThreadLevel level, int size, String script, Body body) {
        return play(Collections.nCopies(size, 0), script, level, new NetworkSimulator[1], new ArrayList<>(), body);
    }

    /// @param said gets what the stage tells the job's user, from a thread of its own
    static Outcome playHeard(int size, String script, List<String> said, Body body) {
        return play(Collections.nCopies(size, 0), script, ThreadLevel.SINGLE, new NetworkSimulator[1], said, body);
    }

    public static Outcome playBare(int size, String script, Bare body) {
        List<Integer> nodes = Collections.nCopies(size, 0);
        return play(nodes, script, new NetworkSimulator[1], new ArrayList<>(), (pe, job, stage) -> {
            try {
                body.run(pe, job, stage.network(pe));
                return null;
            } catch (Throwable e) {
                return e;
            }
        });
    }

    private static Outcome play(
            List<Integer> nodes,
            String script,
            ThreadLevel level,
            NetworkSimulator[] staged,
            List<String> said,
            Body body) {
        return play(nodes, script, staged, said, (pe, job, stage) -> caught(level, body));
    }

    /// @param staged gets the stage before the part is played
    private static Outcome play(
            List<Integer> nodes, String script, NetworkSimulator[] staged, List<String> said, Part part) {
        int size = nodes.size();
        Map<Integer, Throwable> failures = new ConcurrentSkipListMap<>();
        try (JobSegment segment = JobSegment.create(new JobSegment.Parameters("test", size, 8 << 20, 2, true, nodes));
                NetworkSimulator stage =
                        (NetworkSimulator) new SimProvider().open(size, script, new Host(segment, said))) {
            staged[0] = stage;
            Map<Integer, Thread> threads = new TreeMap<>();
            for (int pe = 0; pe < size; pe++) {
                int me = pe;
                threads.put(
                        pe, daemon(new Thread(new PeThreadGroup(new Member(pe, size, segment.path(), stage)), () -> {
                            stage.enter(me, "");
                            Throwable thrown = part.play(me, segment, stage);
                            if (thrown != null) {
                                failures.put(me, thrown);
                                segment.end(me, 1);
                            }
                            stage.leave(me, Optional.ofNullable(thrown));
                        })));
            }
            threads.values().forEach(Thread::start);
            threads.forEach((pe, thread) -> join(segment, pe, thread));
            return new Outcome(stage.digest(), stage.story(), failures);
        }
    }

    /// Waits for a PE's end. One that was killed never comes back.
    private static void join(JobSegment segment, int pe, Thread thread) {
        try {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!thread.join(Duration.ofMillis(20)) && segment.status(pe).get(StatusField.EXIT_CODE) != KILLED) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("PE " + pe + " has not ended: " + List.of(thread.getStackTrace()));
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Thread daemon(Thread thread) {
        thread.setDaemon(true);
        return thread;
    }

    private static @Nullable Throwable caught(ThreadLevel level, Body body) {
        try (World world = World.join(level)) {
            body.run(world);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    private record Member(int pe, int size, Path segment, Simulator simulator) implements Bootstrap {
        @Override
        public String description() {
            return "thread of a test";
        }

        @Override
        public Optional<Network> network() {
            return Optional.of(simulator.network(pe));
        }
    }

    private record Host(JobSegment segment, List<String> said) implements Simulator.Host {
        @Override
        public MemorySegment memory(long byteSize) {
            int descriptor = Libc.memfd("coterie-sim-test", byteSize);
            return AddressSpace.ALL.asSlice(Libc.mapShared(descriptor, byteSize, 1L << 30), byteSize);
        }

        @Override
        public Optional<String> refusal(long byteSize) {
            return Optional.empty();
        }

        @Override
        public int node(int pe) {
            return segment.node(pe);
        }

        @Override
        public void killed(int pe, String why) {
            segment.end(pe, KILLED);
        }

        @Override
        public void print(String text) {
            said.add(text);
        }

        @Override
        public String doings() {
            return IntStream.range(0, segment.size())
                    .mapToObj(pe -> "PE " + pe + " "
                            + OperationKind.of(segment.status(pe).get(StatusField.WAIT_KIND))
                                    .label() + "\n")
                    .collect(Collectors.joining());
        }
    }
}
