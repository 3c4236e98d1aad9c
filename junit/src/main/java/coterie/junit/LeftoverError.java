// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.io.Serial;

/// A test has ended well and left something behind on a PE. A failure of another PE, or one that does not come to an
/// end, matters more.
final class LeftoverError extends AssertionError {
    @Serial
    private static final long serialVersionUID = 1L;

    LeftoverError(String message) {
        super(message);
    }
}
