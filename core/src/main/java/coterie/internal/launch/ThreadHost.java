// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.launch.JobSpec.Input;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.PeState;
import coterie.internal.world.JobEnvironment;
import coterie.internal.world.Seat;
import coterie.spi.Bootstrap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The main class of a JVM that hosts all PEs of a job as threads.
///
/// Each PE has a seat, a loader of its own for the user's classes, and its own `System.in`, `out` and `err`. What
/// the launcher does for processes happens here: the end of a PE is noted in the segment, and the first failure
/// ends the host unless the others are to go on.
final class ThreadHost implements Thread.UncaughtExceptionHandler {
    private final JobSegment segment;
    private final SeatStreams streams;
    private boolean ending;

    private ThreadHost(JobSegment segment, SeatStreams streams) {
        this.segment = segment;
        this.streams = streams;
    }

    /// Entered by the JVM.
    ///
    /// @param args guard, input, class path, module path, module, main class, then the program's own; see
    ///     [JavaCommand]
    public static void main(String[] args) throws InterruptedException, IOException {
        Bootstrap first = Objects.requireNonNull(JobEnvironment.read(System.getenv()), "COTERIE_SEGMENT is not set");
        ParentDeath.follow(args[0], first.segment());
        SeatStreams streams = new SeatStreams(first.size());
        streams.install(Input.valueOf(args[1]));
        ThreadHost host = new ThreadHost(JobSegment.attach(first.segment()), streams);
        Thread.setDefaultUncaughtExceptionHandler(host);
        Program program =
                new Program(args[2], args[3], args[4], args[5], List.of(args).subList(6, args.length));
        List<Pe> pes = new ArrayList<>();
        for (int pe = 0; pe < first.size(); pe++) {
            pes.add(host.new Pe(new Seat(new Place(pe, first.size(), first.segment())), program));
        }
        for (Pe pe : pes) {
            pe.start();
        }
        for (Pe pe : pes) {
            pe.join();
        }
    }

    /// A PE's place in this host.
    private record Place(int pe, int size, Path segment) implements Bootstrap {
        @Override
        public String description() {
            return "thread group of process " + ProcessHandle.current().pid();
        }
    }

    /// What each PE runs.
    private record Program(
            String classPath, String modulePath, String module, String mainClass, List<String> arguments) {}

    /// A PE's main thread.
    private final class Pe extends Thread {
        private final Seat seat;
        private final Program program;

        Pe(Seat seat, Program program) {
            super(seat, null, "main");
            this.seat = seat;
            this.program = program;
        }

        @Override
        public void run() {
            try {
                PeLoader loader = PeLoader.of(
                        seat.bootstrap().pe(),
                        program.classPath,
                        program.modulePath,
                        program.module,
                        program.mainClass);
                setContextClassLoader(loader.classes());
                MainMethod.of(loader.layer(), program.module, loader.classes(), program.mainClass)
                        .call(program.arguments.toArray(new String[0]));
                Ending.closeWorld(seat);
                awaitOthers();
                ended(seat);
            } catch (Throwable e) {
                failed(seat, this, e);
            }
        }

        /// A PE lives as long as a thread of it that is no daemon.
        private void awaitOthers() throws InterruptedException {
            Thread[] threads = new Thread[seat.activeCount() + 8];
            boolean found;
            do {
                found = false;
                int count = seat.enumerate(threads);
                for (int i = 0; i < count; i++) {
                    if (threads[i] != this && !threads[i].isDaemon()) {
                        threads[i].join();
                        found = true;
                    }
                }
            } while (found);
        }
    }

    private void ended(Seat seat) throws IOException {
        int pe = seat.bootstrap().pe();
        streams.finish(pe);
        segment.end(pe, ExitCode.SUCCESS.code());
    }

    @Override
    public void uncaughtException(Thread thread, Throwable uncaught) {
        Seat seat = Seat.of(thread);
        if (seat != null) {
            failed(seat, thread, uncaught);
        } else {
            Ending.exit(Ending.report(0, thread, uncaught));
        }
    }

    /// Notes that a PE has failed. When it is not to be survived, what others throw because of it is of no
    /// interest.
    private void failed(Seat seat, Thread thread, Throwable uncaught) {
        ExitCode code = note(seat.bootstrap().pe(), thread, uncaught);
        if (code != ExitCode.SUCCESS) {
            if (segment.survivorsGoOn()) {
                seat.interrupt();
            } else {
                Ending.exit(code);
            }
        }
    }

    /// Returns the exit code of a failure that is news, or SUCCESS.
    private synchronized ExitCode note(int pe, Thread thread, Throwable uncaught) {
        PeState state = segment.status(pe).state();
        if (ending || state.isOver()) {
            return ExitCode.SUCCESS;
        }
        ending = !segment.survivorsGoOn();
        ExitCode code = Ending.report(pe, thread, uncaught);
        streams.reportFailure(pe, code.code(), Report.doings(segment, List.of(pe)));
        segment.end(pe, code.code());
        return code;
    }
}
