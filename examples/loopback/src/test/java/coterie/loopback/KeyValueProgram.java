// SPDX-License-Identifier: Apache-2.0

package coterie.loopback;

import coterie.Comparison;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;

/// A program for the tests of jobs without a launcher. It opens two worlds, one after another. With the argument
/// "fail" PE 1 ends inside the second.
final class KeyValueProgram {
    private KeyValueProgram() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            run(world);
        }
        World world = World.join();
        run(world);
        SymmetricMemory passed = world.allocate(Long.BYTES);
        passed.signal(0).add(1, 1);
        if (args.length > 0 && world.pe() == 1) {
            passed.signal(0).waitUntil(Comparison.EQ, world.size()); // no PE is in an earlier collective any more
            Runtime.getRuntime().halt(0);
        }
        try {
            world.team().barrier();
            passed.close();
            world.close();
            System.out.println("all well");
        } catch (PeFailedException e) {
            System.out.println("failed " + e.failedPes() + ": " + e.getMessage());
            Runtime.getRuntime().halt(0);
        }
    }

    private static void run(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * 8)) {
            LongView longs = memory.longs();
            longs.put(0, 100 + world.pe(), (world.pe() + 1) % n);
            world.team().barrier();
            long left = longs.get(0);
            longs.set(1, world.pe() + 1);
            world.team().allReduce(Reduction.SUM, longs, 2, longs, 1, 1);
            try (Team half = world.team().splitStrided(0, 2, (n + 1) / 2)) {
                if (half.isValid()) {
                    half.barrier();
                }
            }
            System.out.println("left " + left + ", sum " + longs.get(2) + ", shared "
                    + world.sharedTeam().size());
        }
    }
}
