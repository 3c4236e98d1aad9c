// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.World;
import coterie.internal.world.PeThreadGroup;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;

/// How a PE's JVM ends when its program has not ended it: loudly, and in bounded time.
final class PeShutdown {
    /// Beginnings of the classes between the JVM and the program's main method.
    private static final List<String> CALLERS = List.of(
            PeMain.class.getName(),
            ThreadHost.class.getName(),
            MainMethod.class.getName(),
            "java.lang.reflect.",
            "jdk.internal.reflect.");

    /// The JVM's own below them: they stay where the program has started the thread.
    private static final List<String> THREADS = List.of("java.lang.Thread", "java.lang.VirtualThread");

    private PeShutdown() {}

    /// Says why a PE ends before its time: in a sentence where its program can't be started, as the JVM would
    /// where an exception was not caught. Returns the exit code for it.
    static ExitCode report(int pe, Thread thread, Throwable cause) {
        if (cause instanceof LaunchException unstartable) {
            System.err.println("coterie: PE " + pe + " can't start its program: " + cause.getMessage());
            return unstartable.code();
        }
        trim(cause);
        StringWriter text = new StringWriter()
                .append("Exception in thread \"")
                .append(thread.getName())
                .append("\" ");
        cause.printStackTrace(new PrintWriter(text, true));
        System.err.print(text); // in one piece: the launcher may be about to end this PE
        return ExitCode.UNCAUGHT;
    }

    /// Closes the world that a program has left open when its main method returned. Collective, as every close.
    static void closeWorld(PeThreadGroup threadGroup) {
        World open = threadGroup.openWorld();
        if (open != null) {
            open.close();
        }
    }

    /// Passes an uncaught exception of the program's main thread to its handler, as the JVM would.
    static void uncaught(Throwable uncaught) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, uncaught);
    }

    /// Takes off the frames that have called the program: they are not its concern.
    private static void trim(Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        int end = frames.length;
        while (end > 0 && THREADS.contains(frames[end - 1].getClassName())) {
            end--;
        }
        int begin = end;
        while (end > 0 && isCaller(frames[end - 1].getClassName())) {
            end--;
        }
        if (end > 0 && end < begin) {
            thrown.setStackTrace(Arrays.copyOf(frames, end));
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            trim(suppressed);
        }
    }

    private static boolean isCaller(String name) {
        for (String caller : CALLERS) {
            if (name.startsWith(caller)) {
                return true;
            }
        }
        return false;
    }

    /// Ends this JVM: runs its shutdown hooks, and does without them when they take longer than a job's usual
    /// grace. Returns only if the JVM is ending already.
    static void exit(int code) {
        if (isUnderWay()) {
            return;
        }
        Thread exiting = Thread.currentThread();
        Thread bound = new Thread(null, null, "bound of shutdown", 0, false) {
            @Override
            public void run() {
                try {
                    exiting.join(JobSpec.DEFAULT_GRACE); // it runs the hooks, and never comes back
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                Runtime.getRuntime().halt(code);
            }
        };
        bound.setDaemon(true);
        bound.start();
        System.exit(code);
    }

    /// `Runtime` reveals it only through an attempt to change its hooks.
    private static boolean isUnderWay() {
        try {
            Runtime.getRuntime().removeShutdownHook(Thread.currentThread());
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
