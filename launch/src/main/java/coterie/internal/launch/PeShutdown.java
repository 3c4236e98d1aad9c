// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.World;
import coterie.internal.layer.SettingException;
import coterie.internal.memory.JobSegment;
import coterie.internal.world.PeThreadGroup;
import coterie.internal.world.PeWorld;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ends a PE's JVM that the program has not ended itself: prints the reason, and ends the JVM in bounded time.
final class PeShutdown {
    /// Prefixes of the classes whose methods are on the stack between the JVM's own and the program's main
    /// method.
    private static final List<String> CALLERS = List.of(
            PeMain.class.getName(),
            ThreadHost.class.getName(),
            MainMethod.class.getName(),
            "java.lang.reflect.",
            "jdk.internal.reflect.");

    /// The JVM's own classes, at the bottom of each stack. Their frames stay in the trace of a thread that the
    /// program has started.
    private static final List<String> THREADS = List.of("java.lang.Thread", "java.lang.VirtualThread");

    private PeShutdown() {}

    /// Prints why a PE ends early: one sentence if the launcher can't start its program or a setting has a value
    /// that is not allowed, and otherwise the stack trace that the JVM prints for an uncaught exception. Returns
    /// the exit code of the PE.
    ///
    /// @param marked the stream on which the launcher expects a marked text, see [TraceFold]; or null
    static ExitCode report(int pe, Thread thread, Throwable cause, @Nullable PrintStream marked) {
        ExitCode code = cause instanceof LaunchException unstartable ? unstartable.code() : ExitCode.UNCAUGHT;
        String text = text(pe, thread, cause);
        // One write: the launcher may kill this PE at any time.
        System.err.print(
                System.err.equals(marked) ? TraceFold.BEGIN.concat(text).concat(TraceFold.END) : text);
        return code;
    }

    /// Returns whether an exception is of a wait that the end of the job has ended: no news, since the launcher
    /// says why the job ends.
    static boolean isOfEnd(Throwable thrown, JobSegment segment) {
        return isOfRuntime(thrown) && segment.isEnding();
    }

    /// Does the same with the segment's path.
    static boolean isOfEnd(Throwable thrown, Path segment) {
        try {
            return isOfRuntime(thrown) && JobSegment.attach(segment).isEnding();
        } catch (CoterieException e) {
            return false; // the launcher has ended
        }
    }

    private static boolean isOfRuntime(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof CoterieException) {
                return true;
            }
        }
        return false;
    }

    private static String text(int pe, Thread thread, Throwable cause) {
        if (cause instanceof LaunchException) {
            return "coterie: PE " + pe + " can't start the program: " + cause.getMessage() + System.lineSeparator();
        }
        if (cause instanceof SettingException) {
            return "coterie: PE " + pe + ": " + cause.getMessage() + System.lineSeparator();
        }
        trim(cause);
        StringWriter text = new StringWriter()
                .append("Exception in thread \"")
                .append(thread.getName())
                .append("\" ");
        cause.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    /// Closes the world that is still open when the main method of a program has returned. Collective, as every
    /// close.
    static void closeWorld(PeThreadGroup threadGroup) {
        World open = threadGroup.openWorld();
        if (open != null) {
            PeWorld.of(open).closeAtEnd();
        }
    }

    /// Passes an uncaught exception of the program's main thread to its handler, as the JVM would.
    static void uncaught(Throwable uncaught) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, uncaught);
    }

    /// Removes the frames of the launcher's methods that have called the program: the user has no need of them.
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
        RuntimeFrames.hide(thrown);
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

    /// Ends this JVM. The JVM runs its shutdown hooks, and this method halts the JVM if they take longer than
    /// [JobSpec#DEFAULT_GRACE]. Returns only if the JVM is already shutting down.
    static void exit(int code) {
        if (isUnderWay()) {
            return;
        }
        Thread exiting = Thread.currentThread();
        Thread bound = new Thread(null, null, "bound of shutdown", 0, false) {
            @Override
            public void run() {
                try {
                    exiting.join(JobSpec.DEFAULT_GRACE); // that thread runs the hooks and never returns
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

    /// Returns whether the JVM is shutting down. `Runtime` reveals it only by an exception when a caller changes
    /// its hooks.
    private static boolean isUnderWay() {
        try {
            Runtime.getRuntime().removeShutdownHook(Thread.currentThread());
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
