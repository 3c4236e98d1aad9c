// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.CollectiveMismatchException;
import coterie.Context;
import coterie.ContextOption;
import coterie.CoterieException;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.world.Bootstraps;
import coterie.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the processes of [BootstrapsTest] and [PmixIT] run: two worlds, one after another; then PE 0 may end first,
/// or a PE fail. Some leave the second world open.
final class BootstrapProgram {
    private BootstrapProgram() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 1 && args[0].equals("answers")) {
            Bootstraps.answers().forEach(System.out::println);
            return;
        }
        try (World world = World.join()) {
            exchange(world);
        }
        World world = World.join(args.length > 1 ? ThreadLevel.valueOf(args[1]) : ThreadLevel.MULTIPLE);
        exchange(world);
        if (args.length > 0) {
            world.team().syncLiving(); // so that no PE is in the exchange any more when one fails
        }
        switch (args.length == 0 ? "end" : args[0]) {
            case "late" -> {
                world.close();
                if (world.pe() == 0) {
                    Files.createFile(Path.of(args[2])); // PE 0 is at its end before the others
                } else {
                    Patience.until("the end of PE 0", () -> Files.exists(Path.of(args[2])));
                    System.in.read();
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
                    throw world.abort(9);
                }
                System.in.read(); // the abort ends this process, in no wait of the runtime
            }
            case "return" -> returnWithoutClose(world);
            case "throw" -> {
                if (world.pe() == 1) {
                    throw new IllegalStateException("on purpose");
                }
                try {
                    world.team().barrier();
                } catch (PeFailedException e) {
                    System.out.println("PE " + world.pe() + " lost " + e.failedPes());
                }
            }
            case "early" -> {
                if (world.pe() != 1) {
                    try {
                        world.team().barrier();
                    } catch (CollectiveMismatchException e) {
                        System.out.println("PE " + world.pe() + " differs: " + e.getMessage());
                    }
                }
            }
            default -> world.close();
        }
        System.out.println("PE " + world.pe() + " is done");
    }

    /// PE 1 is slow, and needs the memory of the others.
    private static void returnWithoutClose(World world) throws IOException {
        Context context = world.team().createContext(ContextOption.PRIVATE);
        LongView longs = world.allocate(Long.BYTES).longs();
        longs.set(0, 10 + world.pe());
        world.team().barrier();
        if (world.pe() == 1) {
            System.in.read();
            for (int pe = 0; pe < world.size(); pe++) {
                System.out.println("PE 1 got " + longs.through(context).get(0, pe));
            }
        }
    }

    private static void exchange(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * Long.BYTES)) {
            LongView longs = memory.longs();
            longs.put(0, 100 + world.pe(), (world.pe() + 1) % n);
            world.team().barrier();
            longs.set(1, world.pe() + 1);
            world.team().allReduce(Reduction.SUM, longs, 2, longs, 1, 1);
            System.out.println("PE " + world.pe() + " left " + longs.get(0) + " sum " + longs.get(2) + " node "
                    + world.nodeTeam().size());
        }
    }
}
