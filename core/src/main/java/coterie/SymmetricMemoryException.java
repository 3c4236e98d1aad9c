// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// Symmetric memory could not be had. Every member of the allocation gets the same verdict; nothing is allocated.
///
/// The message names the PE that could not give its part, what was asked and what was left.
public class SymmetricMemoryException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Thrown by the runtime; the message says all.
    public SymmetricMemoryException(String message) {
        super(message);
    }
}
