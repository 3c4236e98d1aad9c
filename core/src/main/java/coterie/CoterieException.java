// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// The root of what the runtime throws beside the JDK's own argument and state exceptions.
///
/// Each message names the operation, the PE, the team where one takes part, the value and the allowed range or the
/// remedy.
public class CoterieException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// A failure that the runtime found by itself.
    public CoterieException(String message) {
        super(message);
    }

    /// A failure that something below the runtime reported.
    public CoterieException(String message, Throwable cause) {
        super(message, cause);
    }
}
