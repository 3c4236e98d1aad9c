// SPDX-License-Identifier: Apache-2.0
package neighbours;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;

/// Each PE puts a number into the memory of its right neighbour; all add up what they received.
public final class NeighbourSum {
    private NeighbourSum() {}

    public static void main(String[] args) {
        World world = World.join();
        IO.println("PE " + world.pe() + " of " + world.size() + ": the sum is " + sum(world));
    }

    static long sum(World world) {
        try (SymmetricMemory memory = world.allocate(Long.BYTES)) {
            LongView inbox = memory.longs();
            inbox.put(0, 100 + world.pe(), (world.pe() + 1) % world.size());
            return world.team().sum(inbox.waitUntil(0, Comparison.NE, 0));
        }
    }
}
