// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import java.io.Serial;

/// Thrown if the command line is valid, but the program can't be started. Scripts read the reason from the exit
/// code, users from the message.
final class CannotRunException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final ExitCode exitCode;

    private final boolean isReported;

    /// @param message that [Main] prints
    CannotRunException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
        this.isReported = false;
    }

    /// For a failure that has been reported already, such as by the compiler.
    CannotRunException(ExitCode exitCode) {
        this.exitCode = exitCode;
        this.isReported = true;
    }

    /// Returns whether the failure has been reported, so that there is no message.
    boolean isReported() {
        return isReported;
    }

    ExitCode exitCode() {
        return exitCode;
    }
}
