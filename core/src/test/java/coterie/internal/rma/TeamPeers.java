// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.World;

/// Contexts from inside, for tests of other packages.
public final class TeamPeers {
    private TeamPeers() {}

    /// How many teams have peers of their own.
    public static int count(World world) {
        return ((PeContext) world.context()).peerBases().teams();
    }
}
