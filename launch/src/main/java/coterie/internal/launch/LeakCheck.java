// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.World;
import coterie.internal.world.PeWorld;

/// Checks a world after a test.
public final class LeakCheck {
    private LeakCheck() {}

    /// Returns, in one line, what the test has left behind in this PE's world: a join without a close, a block
    /// that it has not freed, or a free list that is not in order. Empty if it has left nothing behind.
    public static String verdict(World world) {
        return PeWorld.of(world).leftovers();
    }
}
