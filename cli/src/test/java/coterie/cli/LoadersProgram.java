// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import coterie.LongView;
import coterie.Reduction;
import coterie.World;
import coterie.cluster.JobCoordinator;
import coterie.cluster.WorldJoin;
import coterie.spi.Encryption;
import java.io.File;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/// A host program with two loaders, each of which has Coterie and a job of its own over `tcp`. The two jobs are open at
/// the same time; after their ends the loaders must be garbage. The argument is the value of the setting ENCRYPTION.
final class LoadersProgram {
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(50);

    /// Between two collections, if no loader has gone meanwhile.
    private static final int PAUSE_MILLIS = 50;

    private LoadersProgram() {}

    /// All that a loader runs: the coordinator of a job, and its PEs.
    public static final class OwnJob implements BiFunction<String, CyclicBarrier, String> {
        private static final int PES = 2;
        private static final long HEAP = 16L << 20;

        /// For the loader.
        public OwnJob() {}

        /// Returns what the PEs have found.
        ///
        /// @param open where the PEs of both jobs meet while their worlds are open
        @Override
        public String apply(String encryption, CyclicBarrier open) {
            List<Future<String>> results = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(PES);
                    JobCoordinator coordinator =
                            JobCoordinator.open(options(), new JobCoordinator.Listener() {}, encryption(encryption))) {
                for (int pe = 0; pe < PES; pe++) {
                    WorldJoin join = WorldJoin.by(coordinator.key())
                            .pe(pe)
                            .with("CONDUIT", "tcp")
                            .with("LOAD_STORE", "false")
                            .with("ENCRYPTION", encryption);
                    results.add(threads.submit(() -> join.call(world -> work(world, open))));
                }
                List<String> all = new ArrayList<>();
                for (Future<String> each : results) {
                    all.add(each.get());
                }
                return all + " " + coordinator.awaitEnd().isSuccess();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private static JobCoordinator.Options options() {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            return new JobCoordinator.Options(
                    PES,
                    loopback,
                    loopback.getHostAddress(),
                    HEAP,
                    JobCoordinator.Options.DEFAULT_SILENCE,
                    Duration.ofMinutes(1),
                    false,
                    false);
        }

        private static Encryption encryption(String value) {
            return value.equals("tls") ? Encryption.tls() : Encryption.none();
        }

        private static String work(World world, CyclicBarrier open) throws Exception {
            LongView longs = world.allocate(4L * Long.BYTES).longs();
            longs.put(0, 100 + world.pe(), 1 - world.pe());
            world.team().barrier();
            open.await();
            longs.set(1, world.pe() + 1);
            world.team().allReduce(Reduction.SUM, longs, 2, longs, 1, 1);
            return longs.get(0) + " sum " + longs.get(2) + " there " + longs.get(0, 1 - world.pe());
        }
    }

    /// Returns a loader that has all classes of this program, beside the JDK.
    private static URLClassLoader loader() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!each.isEmpty()) {
                urls.add(Path.of(each).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    @SuppressWarnings("unchecked")
    private static BiFunction<String, CyclicBarrier, String> job(ClassLoader loader) throws Exception {
        Class<?> its = loader.loadClass(OwnJob.class.getName());
        return (BiFunction<String, CyclicBarrier, String>) its.getConstructor().newInstance();
    }

    /// Runs the two jobs, each in a thread with the context of its loader, and returns references to the loaders.
    private static Set<Reference<ClassLoader>> run(String encryption, ReferenceQueue<ClassLoader> gone)
            throws Exception {
        CyclicBarrier open = new CyclicBarrier(2 * OwnJob.PES);
        Set<Reference<ClassLoader>> loaders = new HashSet<>();
        List<Future<String>> jobs = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < 2; i++) {
                URLClassLoader loader = loader();
                loaders.add(new WeakReference<>(loader, gone));
                jobs.add(threads.submit(() -> {
                    Thread.currentThread().setContextClassLoader(loader);
                    try (loader) {
                        return job(loader).apply(encryption, open);
                    }
                }));
            }
            for (Future<String> each : jobs) {
                System.out.println(each.get());
            }
        }
        return loaders;
    }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
        Set<Reference<ClassLoader>> loaders = run(args[0], gone);
        long start = System.nanoTime();
        while (!loaders.isEmpty() && System.nanoTime() - start < BOUND_NANOS) {
            System.gc();
            loaders.remove(gone.remove(PAUSE_MILLIS));
        }
        System.out.println("loaders left: " + loaders.size());
        Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(each -> each.contains("coterie"))
                .forEach(each -> System.out.println("thread left: " + each));
    }
}
