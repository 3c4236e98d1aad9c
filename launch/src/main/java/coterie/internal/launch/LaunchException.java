// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.Serial;

/// The launcher can't find or can't start the program of a PE. The message states the reason in one phrase.
final class LaunchException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    LaunchException(String message, ExitCode code) {
        super(message);
        this.code = code;
    }

    static LaunchException noModule(String module) {
        return new LaunchException("there is no module ".concat(module), ExitCode.NOT_FOUND);
    }

    /// Returns the exit code of the PE.
    ExitCode code() {
        return code;
    }
}
