// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// Makes the job's exit code of the ends of its PEs. Not thread-safe.
///
/// Until something decides it, it follows from the PEs: 0 if all ended well; where PEs go on after a failure, the
/// first code of a PE that ended by itself and not well, or 0 if any ended well, or else the first failure's.
final class ExitCodePolicy {
    private static final int UNDECIDED = -1;

    /// Signals are numbered from 1 to this.
    private static final int MOST_SIGNALS = 64;

    private final OnFailure onFailure;
    private int decided = UNDECIDED;
    private int firstFailure = UNDECIDED;
    private int firstOwnFailure = UNDECIDED;
    private boolean anySuccess;

    ExitCodePolicy(OnFailure onFailure) {
        this.onFailure = onFailure;
    }

    /// Counts a PE's end. Returns whether the rest of the job is to be stopped because of it.
    ///
    /// @param failed whether it counts as a failure: any exit code but 0, and that too inside a world
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

    /// Settles the exit code, whatever becomes of the PEs. Returns whether this was the first to do so.
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

    /// The job's exit code, once all PEs have ended.
    int exitCode() {
        if (isDecided()) {
            return decided;
        }
        if (firstOwnFailure != UNDECIDED) {
            return firstOwnFailure;
        }
        return anySuccess || firstFailure == UNDECIDED ? ExitCode.SUCCESS.code() : firstFailure;
    }

    /// Whether a process with this exit code was ended by a signal, as far as the code tells.
    static boolean isSignal(int exitCode) {
        return exitCode > ExitCode.ofSignal(0) && exitCode <= ExitCode.ofSignal(MOST_SIGNALS);
    }
}
