// SPDX-License-Identifier: Apache-2.0
package ringsum;

import coterie.World;

/// All PEs add up their numbers.
public final class RingSum {
    private RingSum() {}

    public static void main(String[] args) {
        World world = World.join();
        IO.println("PE " + world.pe() + " of " + world.size() + ": the sum is "
                + world.team().sum(100L + world.pe()) + ", in " + RingSum.class.getModule());
    }
}
