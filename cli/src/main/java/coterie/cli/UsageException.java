// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.Serial;

/// Thrown if the command line is wrong; nothing has been started. The message has the wrong word, and the right
/// form.
final class UsageException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
