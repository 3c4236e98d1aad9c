// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.Libc;
import coterie.internal.world.JobEnvironment;
import coterie.internal.world.LaunchedPe;
import coterie.internal.world.PeThreadGroup;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The main class of a PE's JVM: makes the PE's thread group and runs the program as `java` would, except that
/// an uncaught exception of any thread ends the PE.
///
/// The start of a PE takes milliseconds. To keep it short, this class uses no lambdas and no string
/// concatenation by `+`, and makes a foreign call only if an argument requires it.
final class PeMain {
    private PeMain() {}

    /// The JVM calls this.
    ///
    /// @param args guard, processors, mark of traces, module, main class, then the program's own; see [JavaCommand]
    public static void main(String[] args) throws InterruptedException {
        LaunchedPe bootstrap =
                Objects.requireNonNull(JobEnvironment.read(System.getenv()), "COTERIE_SEGMENT is not set");
        ParentDeath.follow(args[0], bootstrap.segment());
        PrintStream marked = args[2].equals(JavaCommand.MARKED) ? System.err : null;
        Thread.setDefaultUncaughtExceptionHandler(new FatalHandler(bootstrap, marked));
        Program program = new Program(new PeThreadGroup(bootstrap), args);
        Runtime.getRuntime()
                .addShutdownHook(new EndPlaces(bootstrap.segment(), bootstrap.pe(), new Thread[] {program}));
        program.start();
        program.join();
        if (program.failed) {
            PeShutdown.exit(ExitCode.UNCAUGHT.code()); // the program's own exception handler did not end the JVM
        }
    }

    /// @param marked the stream on which the launcher expects a marked text, or null
    private record FatalHandler(
            LaunchedPe bootstrap, @Nullable PrintStream marked) implements Thread.UncaughtExceptionHandler {
        @Override
        public void uncaughtException(Thread thread, Throwable uncaught) {
            ExitCode code = ExitCode.UNCAUGHT;
            try {
                if (!PeShutdown.isOfEnd(uncaught, bootstrap.segment())) {
                    code = PeShutdown.report(bootstrap.pe(), thread, uncaught, marked);
                }
            } finally {
                PeShutdown.exit(code.code());
            }
        }
    }

    /// The program's main thread.
    private static final class Program extends Thread {
        private final PeThreadGroup threadGroup;
        private final String[] args;
        private volatile boolean failed;

        Program(PeThreadGroup threadGroup, String[] args) {
            super(threadGroup, null, "main");
            this.threadGroup = threadGroup;
            this.args = args;
        }

        @Override
        public void run() {
            try {
                if (!args[1].equals(JavaCommand.NONE)) {
                    Libc.bind(Machine.parseProcessors(args[1]));
                }
                MainMethod.of(ModuleLayer.boot(), args[3], ClassLoader.getSystemClassLoader(), args[4])
                        .call(Arrays.copyOfRange(args, 5, args.length));
                PeShutdown.closeWorld(threadGroup);
            } catch (Throwable e) {
                failed = true;
                PeShutdown.uncaught(e);
            }
        }
    }
}
