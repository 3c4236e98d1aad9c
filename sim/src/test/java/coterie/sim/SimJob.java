// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.Comparison;
import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.posix.Libc;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LaunchedPe;
import coterie.internal.world.PeThreadGroup;
import coterie.sim.explore.Explorer;
import coterie.sim.schedule.SchedulingStrategy;
import coterie.spi.Network;
import coterie.spi.Simulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Simulated jobs in the test's own JVM, without a launcher: one run each.
public final class SimJob {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int KILLED = 137;

    private SimJob() {}

    /// The program of a PE.
    @FunctionalInterface
    public interface Body {
        void run(World world) throws Exception;
    }

    /// The program of a PE that enters the simulator and opens no world.
    @FunctionalInterface
    public interface Bare {
        void run(int pe, JobSegment job, Network network) throws Exception;
    }

    /// Executes a PE between entering the simulator and leaving it. Returns its exception, or null.
    @FunctionalInterface
    private interface PeMain {
        @Nullable
        Throwable run(int pe, JobSegment job, NetworkSimulator simulator);
    }

    /// The program of a PE in an exploration.
    interface Explored {
        /// Executes the explored section, after an allocation of zeroed memory and before its release. Returns
        /// what the PE has seen.
        String run(World world, SymmetricMemory memory);
    }

    /// Returns the results of all orders of the section: for each order the PEs' results in the order of the PEs.
    static Set<String> explore(int size, long bytes, Explored explored) {
        return explore(size, bytes, "races=off", explored, new Explorer());
    }

    static Set<String> explore(int size, long bytes, String script, Explored explored, Explorer explorer) {
        return explore(
                size,
                script,
                explorer,
                explorer::advance,
                world -> world.allocate(bytes),
                (world, memory) -> explored.run(world, memory),
                SymmetricMemory::close);
    }

    /// Executes a section of a program in several orders.
    ///
    /// @param strategy decides the order of each run
    /// @param advance is called after each run; returns whether another one follows
    /// @param open makes what the section needs, before the exploration
    /// @param explored the section; returns what the PE has seen
    /// @param close ends what `open` has made, after the exploration
    public static <T> Set<String> explore(
            int size,
            String script,
            SchedulingStrategy strategy,
            BooleanSupplier advance,
            Function<World, T> open,
            BiFunction<World, T, String> explored,
            Consumer<T> close) {
        Set<String> seen = new TreeSet<>();
        boolean more = true;
        while (more) {
            String[] seenByPe = new String[size];
            NetworkSimulator[] simulator = new NetworkSimulator[1];
            List<Integer> nodes = Collections.nCopies(size, 0);
            Outcome outcome = run(nodes, script, ThreadLevel.SINGLE, simulator, new ArrayList<>(), world -> {
                T opened = open.apply(world);
                world.team().barrier();
                simulator[0].switchStrategy(world.pe(), strategy);
                try {
                    seenByPe[world.pe()] = explored.apply(world, opened);
                } finally {
                    simulator[0].switchStrategy(world.pe(), null);
                }
                close.accept(opened);
            });
            if (!outcome.failures().isEmpty()) {
                throw new AssertionError(
                        strategy.toString(),
                        outcome.failures().values().iterator().next());
            }
            seen.add(String.join(" ", seenByPe).strip());
            more = advance.getAsBoolean();
        }
        return seen;
    }

    /// The end of a run.
    ///
    /// @param digest of all events
    /// @param story the script that repeats the run
    /// @param failures the PEs' exceptions
    public record Outcome(String digest, String story, Map<Integer, Throwable> failures) {}

    public static Outcome run(int size, String script, Body body) {
        return run(Collections.nCopies(size, 0), script, body);
    }

    static Outcome run(List<Integer> nodes, String script, Body body) {
        return run(nodes, script, ThreadLevel.SINGLE, new NetworkSimulator[1], new ArrayList<>(), body);
    }

    public static Outcome runAt(ThreadLevel level, int size, String script, Body body) {
        return run(Collections.nCopies(size, 0), script, level, new NetworkSimulator[1], new ArrayList<>(), body);
    }

    /// @param printed gets the simulator's messages to the user, from a thread of the simulator
    static Outcome runPrinting(int size, String script, List<String> printed, Body body) {
        return run(Collections.nCopies(size, 0), script, ThreadLevel.SINGLE, new NetworkSimulator[1], printed, body);
    }

    public static Outcome runBare(int size, String script, Bare body) {
        List<Integer> nodes = Collections.nCopies(size, 0);
        return run(nodes, script, new NetworkSimulator[1], new ArrayList<>(), (pe, job, simulator) -> {
            try {
                body.run(pe, job, simulator.network(pe));
                return null;
            } catch (Throwable e) {
                return e;
            }
        });
    }

    private static Outcome run(
            List<Integer> nodes,
            String script,
            ThreadLevel level,
            NetworkSimulator[] opened,
            List<String> printed,
            Body body) {
        return run(nodes, script, opened, printed, (pe, job, simulator) -> caught(level, body));
    }

    /// @param opened gets the simulator before the run begins
    private static Outcome run(
            List<Integer> nodes, String script, NetworkSimulator[] opened, List<String> printed, PeMain main) {
        int size = nodes.size();
        Map<Integer, Throwable> failures = new ConcurrentSkipListMap<>();
        Arena memory = Arena.ofShared();
        boolean haveAllEnded = false;
        try (JobSegment segment =
                        JobSegment.create(new JobSegment.Parameters("test", size, 8 << 20, 2, true, nodes), memory);
                NetworkSimulator simulator =
                        (NetworkSimulator) new SimProvider().open(size, script, new Host(segment, memory, printed))) {
            opened[0] = simulator;
            Map<Integer, Thread> threads = new TreeMap<>();
            for (int pe = 0; pe < size; pe++) {
                int me = pe;
                threads.put(
                        pe,
                        daemon(new Thread(
                                new PeThreadGroup(new Member(pe, size, segment.path(), simulator), segment, null),
                                () -> {
                                    simulator.enter(me, "");
                                    Throwable thrown = main.run(me, segment, simulator);
                                    if (thrown != null) {
                                        failures.put(me, thrown);
                                        segment.end(me, 1);
                                    }
                                    simulator.leave(me, Optional.ofNullable(thrown));
                                })));
            }
            threads.values().forEach(Thread::start);
            int ended = 0;
            for (Map.Entry<Integer, Thread> each : threads.entrySet()) {
                ended += hasJoined(segment, each.getKey(), each.getValue()) ? 1 : 0;
            }
            haveAllEnded = ended == size;
            return new Outcome(simulator.digest(), simulator.story(), failures);
        } finally {
            if (haveAllEnded) {
                memory.close(); // an exploration has thousands of runs, for which there are not enough addresses
            }
        }
    }

    /// Puts 64 bytes and a signal to a PE, and waits for the signal that another PE puts likewise.
    static void passSignal(SymmetricMemory memory, int next) {
        memory.bytes()
                .putSignal(
                        64, Arena.ofAuto().allocate(64), 0, 64, memory.signal(2).adding(3), next);
        memory.signal(2).waitUntil(Comparison.EQ, 3);
    }

    /// Waits for a PE's end. Returns false if the PE has been killed: its thread never ends.
    private static boolean hasJoined(JobSegment segment, int pe, Thread thread) {
        try {
            long deadline = System.nanoTime() + DEADLINE.toNanos();
            while (!thread.join(Duration.ofMillis(20))) {
                if (segment.status(pe).get(StatusField.EXIT_CODE) == KILLED) {
                    return false;
                }
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("PE " + pe + " has not ended: " + List.of(thread.getStackTrace()));
                }
            }
            return true;
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

    private record Member(int pe, int size, Path segment, Simulator simulator) implements LaunchedPe {
        @Override
        public String description() {
            return "thread of a test";
        }

        @Override
        public Optional<Network> network() {
            return Optional.of(simulator.network(pe));
        }
    }

    private record Host(JobSegment segment, Arena arena, List<String> printed) implements Simulator.Host {
        private static final long ALIGNMENT = 1L << 30;

        @Override
        public MemorySegment memory(long byteSize) {
            int descriptor = Libc.memfd("coterie-sim-test", byteSize + ALIGNMENT);
            try (FileChannel file = FileChannel.open(
                    Path.of("/proc/self/fd/" + descriptor), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                MemorySegment all = file.map(MapMode.READ_WRITE, 0, byteSize + ALIGNMENT, arena);
                return all.asSlice(-all.address() & ALIGNMENT - 1, byteSize);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                Libc.close(descriptor);
            }
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
            printed.add(text);
        }

        @Override
        public String activities() {
            return IntStream.range(0, segment.size())
                    .mapToObj(pe -> "PE " + pe + " "
                            + OperationKind.of(segment.status(pe).get(StatusField.WAIT_KIND))
                                    .label() + "\n")
                    .collect(Collectors.joining());
        }
    }
}
