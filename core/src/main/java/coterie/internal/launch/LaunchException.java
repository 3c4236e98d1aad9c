// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.Serial;

/// A PE's program was not found, or is none. The message says it in one phrase.
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

    /// What the PE ends with.
    ExitCode code() {
        return code;
    }
}
