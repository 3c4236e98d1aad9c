// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.Serial;

/// A PE's program was not found, or is none. The message says it in one phrase.
final class UnstartableException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    UnstartableException(String message, ExitCode code) {
        super(message);
        this.code = code;
    }

    static UnstartableException noModule(String module) {
        return new UnstartableException("there is no module ".concat(module), ExitCode.NOT_FOUND);
    }

    /// What the PE ends with.
    ExitCode code() {
        return code;
    }
}
