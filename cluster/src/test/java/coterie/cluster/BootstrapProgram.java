// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.CoterieException;
import coterie.IntegerView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.World;

/// What the processes of [BootstrapsTest] run: two worlds, one after another; then PE 0 may end first, or a PE
/// fail.
final class BootstrapProgram {
    private BootstrapProgram() {}

    public static void main(String[] args) throws Exception {
        try (World world = World.join()) {
            exchange(world);
        }
        World world = World.join();
        exchange(world);
        switch (args.length == 0 ? "end" : args[0]) {
            case "late" -> {
                world.close();
                if (world.pe() > 0) {
                    Thread.sleep(500); // PE 0 is at its end long before
                }
            }
            case "fail" -> {
                if (world.pe() == 1) {
                    Runtime.getRuntime().halt(3);
                }
                try {
                    world.team().barrier();
                } catch (PeFailedException e) {
                    System.out.println("PE " + world.pe() + " lost " + e.failedPes());
                    System.exit(0); // PE 0 gives the others time to learn of the failure
                }
            }
            case "abort" -> {
                try {
                    world.team().barrier();
                } catch (CoterieException e) {
                    System.out.println("PE " + world.pe() + " was late: " + e.getMessage());
                }
                if (world.pe() == 1) {
                    world.abort(9);
                }
                Thread.sleep(60_000); // the abort ends this process, in no wait of the runtime
            }
            default -> world.close();
        }
        System.out.println("PE " + world.pe() + " is done");
    }

    private static void exchange(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * Long.BYTES)) {
            IntegerView longs = memory.longs();
            longs.put(0, 100 + world.pe(), (world.pe() + 1) % n);
            world.team().barrier();
            longs.set(1, world.pe() + 1);
            world.team().allReduce(Reduction.SUM, longs, 2, longs, 1, 1);
            System.out.println("PE " + world.pe() + " left " + longs.get(0) + " sum " + longs.get(2) + " node "
                    + world.nodeTeam().size());
        }
    }
}
