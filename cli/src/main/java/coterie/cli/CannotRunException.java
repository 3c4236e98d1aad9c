// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import java.io.Serial;

/// The command line is right, and yet nothing can be started; the exit code says why to scripts, the message to
/// people.
final class CannotRunException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final ExitCode exitCode;

    private final boolean told;

    /// @param message for people
    CannotRunException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
        this.told = false;
    }

    /// For what people have been told already, by a compiler for one.
    CannotRunException(ExitCode exitCode) {
        this.exitCode = exitCode;
        this.told = true;
    }

    /// Whether there is nothing more to say.
    boolean isTold() {
        return told;
    }

    ExitCode exitCode() {
        return exitCode;
    }
}
