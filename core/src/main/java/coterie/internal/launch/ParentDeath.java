// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.Libc;
import coterie.internal.posix.ProcFile;
import java.nio.file.Path;

/// Makes sure that a process of the job ends with its launcher.
///
/// The parent may die before the process has asked the kernel for the parent-death signal. The process therefore
/// checks afterwards whether its parent is still the launcher.
final class ParentDeath {
    private static final int SIGKILL = 9;

    /// As if the signal had come.
    private static final int KILLED = ExitCode.ofSignal(SIGKILL);

    private ParentDeath() {}

    /// Called first thing by the thread that `main` was entered with, which lives as long as the process.
    ///
    /// @param guard [JavaCommand#GUARDED] or [JavaCommand#UNGUARDED]
    /// @param segment the job's, at `/proc/<launcher>/fd/<n>`
    static void follow(String guard, Path segment) {
        if (guard.equals(JavaCommand.UNGUARDED)) {
            Libc.signalOnParentDeath(SIGKILL);
        }
        if (parent() != Long.parseLong(segment.getName(1).toString())) {
            Runtime.getRuntime().halt(KILLED);
        }
    }

    /// The fourth word of `/proc/self/stat`, whose second is a name in parentheses that may contain anything.
    private static long parent() {
        String stat = ProcFile.text("/proc/self/stat");
        int state = stat.lastIndexOf(')') + 2;
        int begin = stat.indexOf(' ', state) + 1;
        return Long.parseLong(stat.substring(begin, stat.indexOf(' ', begin)));
    }
}
