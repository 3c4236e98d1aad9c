// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.launch.JobSpec.Input;
import coterie.internal.launch.JobSpec.SimulatorSpec.RunScope;
import coterie.internal.mapped.HeapAddresses;
import coterie.internal.memory.JobSegment;
import coterie.internal.world.JobEnvironment;
import coterie.internal.world.LaunchedPe;
import coterie.internal.world.PeThreadGroup;
import coterie.spi.PeState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The main class of a JVM that hosts all PEs of a job, as platform threads, or as virtual threads in a
/// simulator.
///
/// Each PE has a thread group, a loader of its own for the user's classes, and its own `System.in`, `out` and
/// `err`. The host does what the launcher does for processes: it records the end of a PE in the segment, and the
/// first failure ends the host unless the job's policy lets the other PEs go on.
///
/// The host records the end of a PE before the PE leaves the simulator: the simulator then notifies the PEs that
/// wait for this PE, and these must find the end in the segment. A PE that the simulator has killed never
/// returns; the host does not join its thread.
final class ThreadHost implements Thread.UncaughtExceptionHandler {
    private final JobSegment segment;
    private final PeStreams streams;
    private final Thread[] mains;
    private final CountDownLatch alive;
    private final BitSet gone = new BitSet();
    private @Nullable SimulationHost house;
    private boolean ending;

    private ThreadHost(JobSegment segment, PeStreams streams) {
        this.segment = segment;
        this.streams = streams;
        this.mains = new Thread[segment.size()];
        this.alive = new CountDownLatch(segment.size());
    }

    /// The JVM calls this.
    ///
    /// @param args guard, input, simulator, its script, scope of a run, class path, module path, module, main
    ///     class, then the program's own; see [JavaCommand]
    public static void main(String[] args) throws InterruptedException {
        LaunchedPe first = Objects.requireNonNull(JobEnvironment.read(System.getenv()), "COTERIE_SEGMENT is not set");
        ParentDeath.follow(args[0], first.segment());
        PeStreams streams = new PeStreams(first.size());
        streams.install(Input.valueOf(args[1]));
        ThreadHost host = new ThreadHost(JobSegment.attach(first.segment()), streams);
        Thread.setDefaultUncaughtExceptionHandler(host);
        if (!args[2].equals(JavaCommand.NONE)) {
            host.open(args[2], args[3]);
        }
        boolean plays = args[4].equals(RunScope.WHOLE_PROGRAM.name());
        Program program = new Program(
                plays, args[5], args[6], args[7], args[8], List.of(args).subList(9, args.length));
        host.run(first.segment(), program);
    }

    private void open(String name, String script) {
        try {
            house = new SimulationHost(name, script, segment, streams, this::killed);
        } catch (IllegalArgumentException e) {
            System.err.println("coterie: " + e.getMessage());
            PeShutdown.exit(ExitCode.USAGE.code());
        }
        // If this JVM exits before its PEs have ended, the job has failed, too: the hook sends the launcher the
        // script.
        Runtime.getRuntime().addShutdownHook(new Thread(this::tellUnlessOver, "story"));
    }

    private void run(Path path, Program program) throws InterruptedException {
        List<Pe> pes = new ArrayList<>();
        HeapAddresses heaps = new HeapAddresses(mains.length);
        for (int pe = 0; pe < mains.length; pe++) {
            LaunchedPe place = house == null
                    ? new HostedBootstrap(pe, mains.length, path, this::fail)
                    : house.place(pe, path, this::fail);
            pes.add(new Pe(new PeThreadGroup(place, segment, heaps), program));
        }
        for (int pe = 0; pe < mains.length; pe++) {
            mains[pe] = pes.get(pe).thread();
        }
        Runtime.getRuntime().addShutdownHook(new EndPlaces(path, 0, mains));
        for (Thread main : mains) {
            main.start();
        }
        alive.await();
        if (house != null) {
            house.close();
        }
    }

    /// The description of a PE that is a thread group of this host.
    private record HostedBootstrap(int pe, int size, Path segment, IntConsumer failure) implements LaunchedPe {
        @Override
        public void fail() {
            failure.accept(pe);
        }

        @Override
        public String description() {
            return "thread group of process " + ProcessHandle.current().pid();
        }
    }

    /// What each PE runs.
    ///
    /// @param plays whether the whole program is one simulated run
    private record Program(
            boolean plays,
            String classPath,
            String modulePath,
            String module,
            String mainClass,
            List<String> arguments) {}

    /// The task of a PE's main thread.
    private final class Pe implements Runnable {
        private final PeThreadGroup threadGroup;
        private final Program program;
        private final @Nullable SimulationSession session;

        Pe(PeThreadGroup threadGroup, Program program) {
            this.threadGroup = threadGroup;
            this.program = program;
            this.session = threadGroup.bootstrap() instanceof SimulationSession.SimulatedBootstrap simulatedBootstrap
                    ? simulatedBootstrap.session()
                    : null;
        }

        Thread thread() {
            return session == null
                    ? new Thread(threadGroup, this, "main")
                    : Thread.ofVirtual().name("main").unstarted(this);
        }

        @Override
        public void run() {
            threadGroup.join();
            Throwable thrown = null;
            try {
                if (session != null && program.plays) {
                    session.begin("");
                }
                call();
                ended(threadGroup);
            } catch (Throwable e) {
                thrown = e;
                if (session == null || session.isRelevant()) {
                    failed(threadGroup, Thread.currentThread(), e);
                }
            }
            if (session != null) {
                session.end(thrown);
            }
            gone(threadGroup.bootstrap().pe());
        }

        private void call() throws Throwable {
            PeLoader loader = PeLoader.of(
                    threadGroup.bootstrap().pe(),
                    program.classPath,
                    program.modulePath,
                    program.module,
                    program.mainClass);
            Thread.currentThread().setContextClassLoader(loader.classes());
            MainMethod.of(loader.layer(), program.module, loader.classes(), program.mainClass)
                    .call(program.arguments.toArray(new String[0]));
            PeShutdown.closeWorld(threadGroup);
            awaitOthers();
        }

        /// Waits for the PE's threads that are not daemons: a PE ends after all of them, as a JVM does. In a
        /// simulator the PE's thread group is empty, so that the PE ends with its main thread: the simulator
        /// controls no other thread. An interrupt ends the wait of a PE that has failed only.
        private void awaitOthers() throws InterruptedException {
            Thread[] threads = new Thread[threadGroup.activeCount() + 8];
            boolean found;
            do {
                found = false;
                int count = threadGroup.enumerate(threads);
                for (int i = 0; i < count; i++) {
                    if (!threads[i].equals(Thread.currentThread()) && !threads[i].isDaemon()) {
                        awaitEnd(threads[i]);
                        found = true;
                    }
                }
            } while (found);
        }

        private void awaitEnd(Thread thread) throws InterruptedException {
            try {
                thread.join();
            } catch (InterruptedException e) {
                if (segment.status(threadGroup.bootstrap().pe()).state().hasTerminated()) {
                    throw e;
                } // else the program's, whose main method has returned: the caller asks again
            }
        }
    }

    private void ended(PeThreadGroup threadGroup) throws IOException {
        int pe = threadGroup.bootstrap().pe();
        streams.finish(pe);
        segment.end(pe, ExitCode.SUCCESS.code());
    }

    /// The thread that has thrown the exception calls this.
    @Override
    public void uncaughtException(Thread thread, Throwable uncaught) {
        PeThreadGroup threadGroup = PeThreadGroup.current();
        if (threadGroup != null) {
            if (house == null || !house.hasTerminated()) {
                failed(threadGroup, thread, uncaught);
            }
        } else {
            PeShutdown.exit(PeShutdown.report(0, thread, uncaught, null).code());
        }
    }

    /// Records that a PE has failed. If this failure ends the job, the host ignores what other PEs throw
    /// afterwards because of it.
    private void failed(PeThreadGroup threadGroup, Thread thread, Throwable uncaught) {
        int pe = threadGroup.bootstrap().pe();
        ExitCode code = note(pe, thread, uncaught);
        if (code != ExitCode.SUCCESS) {
            stop(threadGroup, pe, code.code());
        }
    }

    /// Ends what is left of a failed PE, or of the job.
    private void stop(@Nullable PeThreadGroup threadGroup, int pe, int code) {
        if (segment.survivorsGoOn()) {
            if (threadGroup != null) {
                threadGroup.interrupt();
            }
            mains[pe].interrupt();
        } else {
            PeShutdown.exit(code);
        }
    }

    /// A PE that makes itself fail calls this.
    private void fail(int pe) {
        boolean isNew;
        synchronized (this) {
            isNew = isNews(pe);
            if (isNew) {
                end(pe, LaunchedPe.KILLED, HostedFailure.Kind.FAILED, "it called World.fail");
            }
        }
        if (isNew) {
            stop(PeThreadGroup.current(), pe, LaunchedPe.KILLED);
        }
    }

    /// Records a failure, unless the PE or the job has ended before. Returns the exit code of the failure, or
    /// SUCCESS if the host ignores it.
    private synchronized ExitCode note(int pe, Thread thread, Throwable uncaught) {
        if (!isNews(pe)) {
            return ExitCode.SUCCESS;
        }
        ExitCode code = PeShutdown.isOfEnd(uncaught, segment)
                ? ExitCode.UNCAUGHT
                : PeShutdown.report(pe, thread, uncaught, null);
        end(pe, code.code(), HostedFailure.Kind.THREW, firstLine(uncaught.toString()));
        return code;
    }

    private boolean isNews(int pe) {
        PeState state = segment.status(pe).state();
        if (ending || state.hasTerminated()) {
            return false;
        }
        ending = !segment.survivorsGoOn();
        return true;
    }

    private void end(int pe, int code, HostedFailure.Kind kind, String what) {
        streams.report(new HostedFailure(pe, code, kind, what, JobReport.doings(segment, List.of(pe))));
        if (house != null) {
            house.report();
        }
        segment.end(pe, code);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    private void tellUnlessOver() {
        if (house != null && alive.getCount() > 0) {
            house.report();
        }
    }

    private void killed(int pe, String why) {
        boolean ends;
        synchronized (this) {
            boolean news = isNews(pe);
            if (news) {
                end(pe, LaunchedPe.KILLED, HostedFailure.Kind.KILLED, firstLine(why));
            }
            ends = news && ending;
        }
        gone(pe);
        if (ends) {
            PeShutdown.exit(LaunchedPe.KILLED);
        }
    }

    private synchronized void gone(int pe) {
        if (!gone.get(pe)) {
            gone.set(pe);
            alive.countDown();
        }
    }
}
