// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import java.io.Serial;

/// Thrown if a host does not take what a job needs there before its agent can start.
public final class HostRefusedException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    HostRefusedException(String message) {
        super(message);
    }
}
