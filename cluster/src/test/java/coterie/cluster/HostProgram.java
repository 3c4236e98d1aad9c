// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.LongView;
import coterie.PeFailedException;
import coterie.World;
import coterie.testing.Openings;
import coterie.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// A program that lives longer than the jobs that its threads join. It ends as any program does: when its threads
/// have.
final class HostProgram {
    private static final int JOBS = 100;

    private HostProgram() {}

    public static void main(String[] args) throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            switch (args[0]) {
                case "work" -> work(threads, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
                case "jobs" -> jobs(threads);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    /// Is some PEs of a job, until one of the others fails.
    private static void work(ExecutorService threads, int from, int to) throws Exception {
        JobKey key = JobKey.read(System.in, "standard input");
        List<Future<?>> pes = new ArrayList<>();
        for (int pe = from; pe < to; pe++) {
            WorldJoin join = WorldJoin.by(key).pe(pe);
            pes.add(threads.submit(() -> join.call(HostProgram::workUntilFailure)));
        }
        for (Future<?> each : pes) {
            each.get();
        }
        System.out.println("the process lives");
    }

    private static long workUntilFailure(World world) {
        LongView longs = world.allocate(2L * Long.BYTES).longs();
        longs.put(0, 100 + world.pe(), (world.pe() + 1) % world.size());
        world.team().barrier();
        System.out.println("PE " + world.pe() + " got " + longs.get(0) + " shares with "
                + world.sharedTeam().size());
        try {
            while (true) {
                longs.set(1, world.team().sum(longs.get(1)));
            }
        } catch (PeFailedException e) {
            System.out.println("PE " + world.pe() + " lost " + e.failedPes());
            return world.team().survivors().sum(1L);
        }
    }

    /// Runs jobs of two PEs one after another, and prints what of them is left.
    private static void jobs(ExecutorService threads) throws Exception {
        job(threads); // loads the classes
        String signals = signals();
        int hooks = hooks();
        long sockets = sockets();
        long kibibytes = kibibytes();
        for (int each = 0; each < JOBS; each++) {
            job(threads);
        }
        Patience.until(
                "the end of the runtime's threads",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(each -> each.getName().startsWith("coterie")));
        System.out.println("hooks " + (hooks() - hooks) + ", sockets " + (sockets() - sockets) + ", ports "
                + Openings.of(ProcessHandle.current().pid()) + ", files " + memoryFiles() + ", handlers "
                + signals().equals(signals));
        List<Long> joined = new ArrayList<>();
        for (int each = 0; each < 2; each++) {
            joined.add((long) (threads.submit(World::isJoined).get() ? 1 : 0));
        }
        System.out.println("joined " + joined);
        Patience.until("the end of the mappings", () -> {
            System.gc();
            return kibibytes() < kibibytes + JOBS * HostedCase.HEAP / 1024 / 20;
        });
        System.out.println("addresses are given back");
    }

    private static void job(ExecutorService threads) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (JobCoordinator coordinator = JobCoordinator.open(new JobCoordinator.Options(
                2,
                loopback,
                loopback.getHostAddress(),
                HostedCase.HEAP,
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                false,
                true))) {
            List<Future<Long>> sums = new ArrayList<>();
            for (int pe = 0; pe < 2; pe++) {
                WorldJoin join = WorldJoin.by(coordinator.key()).pe(pe);
                sums.add(threads.submit(() -> join.call(world -> {
                    LongView longs = world.allocate(Long.BYTES).longs();
                    longs.put(0, world.pe() + 1, 1 - world.pe());
                    world.team().barrier();
                    return world.team().sum(longs.get(0));
                })));
            }
            for (Future<Long> each : sums) {
                if (each.get() != 3) {
                    throw new AssertionError("sum " + each.get());
                }
            }
            coordinator.awaitEnd();
        }
    }

    private static String signals() throws IOException {
        return line("SigCgt");
    }

    /// Addresses of this process.
    private static long kibibytes() throws IOException {
        return Long.parseLong(line("VmSize").replaceAll("[^0-9]", ""));
    }

    private static String line(String name) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(each -> each.startsWith(name)).findFirst().orElseThrow();
        }
    }

    private static int hooks() throws ReflectiveOperationException {
        Field hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
        hooks.setAccessible(true);
        return ((Map<?, ?>) Objects.requireNonNullElseGet(hooks.get(null), IdentityHashMap::new)).size();
    }

    private static long sockets() throws IOException {
        return links().stream().filter(each -> each.startsWith("socket:")).count();
    }

    private static List<String> memoryFiles() throws IOException {
        return links().stream()
                .filter(each -> each.contains("memfd:") || each.contains("/shm/"))
                .toList();
    }

    private static List<String> links() throws IOException {
        List<String> links = new ArrayList<>();
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : open.toList()) {
                try {
                    links.add(Files.readSymbolicLink(each).toString());
                } catch (NoSuchFileException e) {
                    links.add("closed meanwhile");
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return links;
    }
}
