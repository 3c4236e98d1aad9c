// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.CoterieException;
import java.io.Serial;

/// Two operations of a simulated job touch the same bytes, at least one of them changes these, and nothing orders
/// the two: on another day they may come in the other order.
///
/// Thrown at the later one. The message has both operations, their PEs, the bytes, both places in the program, and
/// what would order them.
public final class RaceException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Thrown by the race detector; the message says all.
    public RaceException(String message) {
        super(message);
    }
}
