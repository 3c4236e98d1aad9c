// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.Serial;

/// The command line is wrong; nothing has been started. The message says what is, and in which form it would be
/// right.
final class UsageException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
