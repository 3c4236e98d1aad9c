// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

/// Ends the thread that has made its PE fail, in a JVM that hosts several PEs. The host has recorded the failure
/// before, so it ignores this error.
public final class FailedPeError extends Error {
    private static final long serialVersionUID = 1;

    FailedPeError(int pe) {
        super("PE " + pe + " has failed by its own call");
    }
}
