// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import java.io.Serial;

/// The command line is right, and yet nothing can be started; the exit code says why to scripts, the message to people.
final class RefusalException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final ExitCode exitCode;

    /// @param message for people; empty if they have been told already
    RefusalException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    ExitCode exitCode() {
        return exitCode;
    }
}
