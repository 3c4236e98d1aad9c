// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// Teams of members that reach each other by loads and stores, and teams across nodes, with what works among them.
@OnDevice
class KernelLsaOnDeviceTest {
    private static final int ROUNDS = KernelBench.rounds(200);

    private static void teams(World world, int nodes) {
        KernelBench.use(world, KernelBench.LSA, bench -> {
            bench.run("teams", 1, nodes, ROUNDS);
            bench.clear();
        });
    }

    @SpmdTest(
            pes = {1, 2, 3, 4},
            modes = SpmdMode.THREADS,
            timeoutSeconds = 90)
    @DisplayName("members that reach each other are one team; its barrier orders their stores, in one call or two")
    void oneNode(World world) {
        teams(world, 1);
    }

    private static void exchanges(KernelBench bench, int memory) {
        for (int launch = 0; launch < 2; launch++) { // the second one goes on with the epochs of the first
            bench.run("exchanges", memory, ROUNDS / 2);
        }
        bench.clear();
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = SpmdMode.THREADS,
            timeoutSeconds = 90)
    @DisplayName("an all-to-all gives each member in each epoch what all have sent to it in that epoch")
    void exchanges(World world) {
        KernelBench.use(world, KernelBench.LSA, bench -> {
            for (int memory : bench.memories()) {
                exchanges(bench, memory);
            }
        });
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("members of the same place on each node are a team, whose barrier and puts go by the ring")
    void nodes(World world) {
        teams(world, 2);
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("processes of one node are one team, whose members send each other elements without a fence")
    void processes(World world) {
        KernelBench.use(world, KernelBench.LSA, bench -> exchanges(bench, 1));
    }
}
