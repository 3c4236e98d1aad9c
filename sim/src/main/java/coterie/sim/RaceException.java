// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.CoterieException;
import java.io.Serial;

/// Thrown when two operations of a simulated job access the same bytes, at least one of them writes, and no
/// synchronization orders them: another run may execute them in the opposite order.
///
/// The operation that this run executes second throws it. The message has both operations, their PEs, the bytes,
/// both places in the program, and the remedy.
public final class RaceException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// @param message the complete report
    public RaceException(String message) {
        super(message);
    }
}
