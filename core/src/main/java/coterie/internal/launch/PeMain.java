// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.Libc;
import coterie.internal.world.JobEnvironment;
import coterie.internal.world.LaunchedPe;
import coterie.internal.world.PeThreadGroup;
import java.util.Arrays;
import java.util.Objects;

/// The main class of a PE's JVM: sets up the PE's thread group and runs the program as `java` would, except that
/// an uncaught exception of any thread ends the PE.
///
/// A start is a matter of milliseconds, so that nothing here uses lambdas, string templates or foreign calls
/// unasked.
final class PeMain {
    private PeMain() {}

    /// Entered by the JVM.
    ///
    /// @param args guard, processors, module, main class, then the program's own; see [JavaCommand]
    public static void main(String[] args) throws InterruptedException {
        LaunchedPe bootstrap =
                Objects.requireNonNull(JobEnvironment.read(System.getenv()), "COTERIE_SEGMENT is not set");
        ParentDeath.follow(args[0], bootstrap.segment());
        Thread.setDefaultUncaughtExceptionHandler(new FatalHandler(bootstrap.pe()));
        Program program = new Program(new PeThreadGroup(bootstrap), args);
        program.start();
        program.join();
        if (program.failed) {
            PeShutdown.exit(ExitCode.UNCAUGHT.code()); // the program has a handler of its own, which let it live
        }
    }

    private record FatalHandler(int pe) implements Thread.UncaughtExceptionHandler {
        @Override
        public void uncaughtException(Thread thread, Throwable uncaught) {
            ExitCode code = ExitCode.UNCAUGHT;
            try {
                code = PeShutdown.report(pe, thread, uncaught);
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
                MainMethod.of(ModuleLayer.boot(), args[2], ClassLoader.getSystemClassLoader(), args[3])
                        .call(Arrays.copyOfRange(args, 4, args.length));
                PeShutdown.closeWorld(threadGroup);
            } catch (Throwable e) {
                failed = true;
                PeShutdown.uncaught(e);
            }
        }
    }
}
