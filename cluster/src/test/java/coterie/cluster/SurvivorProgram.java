// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.PeFailedException;
import coterie.Team;
import coterie.World;

/// PEs that halt, one after another, while the others meet in barriers. After each end the others make a team of those
/// that live, and go on with it.
final class SurvivorProgram {
    private SurvivorProgram() {}

    /// The JVM calls this.
    ///
    /// @param args the PEs that halt
    public static void main(String[] args) {
        World world = World.join();
        Team living = world.team();
        for (String each : args) {
            int victim = Integer.parseInt(each);
            living.barrier();
            if (world.pe() == victim) {
                Runtime.getRuntime().halt(137);
            }
            living = meetUntilFailure(living);
            System.out.println("PE " + world.pe() + ": " + living.sum(1L) + " live after PE " + victim);
        }
        System.out.println("PE " + world.pe() + " is done");
    }

    private static Team meetUntilFailure(Team team) {
        try {
            while (true) {
                team.barrier();
            }
        } catch (PeFailedException e) {
            return team.survivors();
        }
    }
}
