// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// The superclass of the runtime's own exceptions; misuse throws the JDK's argument and state exceptions.
///
/// Each message has the operation, the PE, the team if any, the value, and the allowed range or the remedy.
public class CoterieException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// A failure that the runtime found.
    public CoterieException(String message) {
        super(message);
    }

    /// A failure that a component or the operating system reported.
    public CoterieException(String message, Throwable cause) {
        super(message, cause);
    }
}
