// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// The exit codes of the launcher itself. Any other exit code is that of the first PE that failed; 128 + n means
/// that signal n ended this PE. `docs/command-line.md` has this table for readers; a test compares both.
public enum ExitCode {
    SUCCESS(0, "every PE ended with exit code 0"),
    UNCAUGHT(1, "an uncaught exception ended a thread of a PE"),
    USAGE(2, "the command line is wrong; nothing was started"),
    INTERNAL(70, "the launcher itself failed; its message says where"),
    DEADLOCK(123, "the job was in a deadlock, and --on-deadlock is abort"),
    TIMED_OUT(124, "the job ran longer than --timeout allows"),
    HOST_LOST(125, "a host of the job can't be reached, or was lost"),
    NOT_RUNNABLE(126, "the program was found but can't be started: it does not compile, or has no main method"),
    NOT_FOUND(127, "the program, its class or a Java that can run it was not found");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /// Returns the exit code of the process.
    public int code() {
        return code;
    }

    /// Returns one sentence for the table.
    public String meaning() {
        return meaning;
    }

    /// Returns the exit code that a shell shows for a process that this signal ended.
    public static int ofSignal(int signal) {
        return 128 + signal;
    }
}
