// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.World;
import coterie.internal.world.PeWorld;

/// Looks into a world after a test.
public final class LeakCheck {
    private LeakCheck() {}

    /// What the test has left behind in this PE's world, as one line; empty if all is whole: every block freed,
    /// the free list in order.
    public static String verdict(World world) {
        return PeWorld.of(world).leftovers();
    }
}
