// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// A PE could not provide its part of symmetric memory. Every PE gets this exception, and nothing is allocated.
/// The message has that PE, the bytes that it needed and those that it had.
public class SymmetricMemoryException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// For the runtime.
    public SymmetricMemoryException(String message) {
        super(message);
    }
}
