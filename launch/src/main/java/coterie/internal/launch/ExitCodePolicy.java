// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// Computes the job's exit code from the ends of its PEs. Not thread-safe.
///
/// Some events decide the exit code: the job's time limit, a signal, an abort, or a failed PE under
/// [OnFailure#END]. Without such an event the exit code is 0 if all PEs ended well. Otherwise it is the exit
/// code of the first failed PE that no signal has ended. If there is no such PE, the exit code is 0 if any PE
/// ended well, and that of the first failed PE if none did.
final class ExitCodePolicy {
    private static final int UNDECIDED = -1;

    /// The highest number of a signal in Linux; the lowest is 1.
    private static final int MOST_SIGNALS = 64;

    private final OnFailure onFailure;
    private int decided = UNDECIDED;
    private int firstFailure = UNDECIDED;
    private int firstOwnFailure = UNDECIDED;
    private boolean anySuccess;

    ExitCodePolicy(OnFailure onFailure) {
        this.onFailure = onFailure;
    }

    /// Records the end of a PE. Returns whether the launcher must stop the rest of the job because of it.
    ///
    /// @param failed whether the end is a failure: any exit code but 0, or exit code 0 inside a world, which
    ///     counts as [ExitCode#UNCAUGHT]
    boolean ended(int exitCode, boolean failed) {
        if (isDecided()) {
            return false;
        }
        if (!failed) {
            anySuccess = true;
            return false;
        }
        int code = exitCode == 0 ? ExitCode.UNCAUGHT.code() : exitCode;
        if (firstFailure == UNDECIDED) {
            firstFailure = code;
        }
        if (firstOwnFailure == UNDECIDED && !isSignal(code)) {
            firstOwnFailure = code;
        }
        return onFailure == OnFailure.END && decide(code);
    }

    /// Decides the exit code, however the PEs end. Returns whether no earlier event had decided it.
    boolean decide(int exitCode) {
        if (isDecided()) {
            return false;
        }
        decided = exitCode;
        return true;
    }

    boolean isDecided() {
        return decided != UNDECIDED;
    }

    /// Returns the job's exit code, after all PEs have ended.
    int exitCode() {
        if (isDecided()) {
            return decided;
        }
        if (firstOwnFailure != UNDECIDED) {
            return firstOwnFailure;
        }
        return anySuccess || firstFailure == UNDECIDED ? ExitCode.SUCCESS.code() : firstFailure;
    }

    /// Returns whether a signal ended the process with this exit code. A process that returns such a code by
    /// itself looks the same.
    static boolean isSignal(int exitCode) {
        return exitCode > ExitCode.ofSignal(0) && exitCode <= ExitCode.ofSignal(MOST_SIGNALS);
    }
}
