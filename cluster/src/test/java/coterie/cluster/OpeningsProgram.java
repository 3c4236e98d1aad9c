// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.testing.Openings;
import java.io.IOException;

/// Says what others can open of a PE, while all PEs have a world with memory.
final class OpeningsProgram {
    private OpeningsProgram() {}

    public static void main(String[] args) throws IOException {
        for (int round = 0; round < 2; round++) {
            try (World world = World.join();
                    SymmetricMemory memory = world.allocate(Long.BYTES)) {
                memory.longs().put(0, 1 + world.pe(), (world.pe() + 1) % world.size());
                world.team().barrier();
                String all =
                        String.join(", ", Openings.of(ProcessHandle.current().pid()));
                System.out.println("PE " + world.pe() + " of "
                        + world.sharedTeam().size() + " got " + memory.longs().get(0) + " opens [" + all + "]");
                world.team().barrier();
            }
        }
    }
}
