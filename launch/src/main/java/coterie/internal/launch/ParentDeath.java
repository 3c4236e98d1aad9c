// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.Libc;
import coterie.internal.posix.ProcFile;
import java.nio.file.Path;

/// Ends a process of the job when its launcher ends.
///
/// The parent may die before the process has asked the kernel for the parent-death signal. The process therefore
/// checks afterwards whether its parent is still the launcher.
final class ParentDeath {
    private static final int SIGKILL = 9;

    /// The exit code of a process that the signal has ended.
    private static final int KILLED = ExitCode.ofSignal(SIGKILL);

    private ParentDeath() {}

    /// The thread that the JVM has entered `main` with calls this first. The kernel keeps the request for the
    /// signal only as long as the calling thread lives, and this thread lives as long as the process.
    ///
    /// @param guard [JavaCommand#GUARDED] or [JavaCommand#UNGUARDED]
    /// @param segment the path of the job's segment, `/proc/<launcher>/fd/<n>`
    static void follow(String guard, Path segment) {
        if (guard.equals(JavaCommand.UNGUARDED)) {
            Libc.signalOnParentDeath(SIGKILL);
        }
        if (parent() != Long.parseLong(segment.getName(1).toString())) {
            Runtime.getRuntime().halt(KILLED);
        }
    }

    /// Returns the fourth word of `/proc/self/stat`. The second word is a name in parentheses that may contain
    /// any character.
    private static long parent() {
        String stat = ProcFile.text("/proc/self/stat");
        int state = stat.lastIndexOf(')') + 2;
        int begin = stat.indexOf(' ', state) + 1;
        return Long.parseLong(stat.substring(begin, stat.indexOf(' ', begin)));
    }
}
