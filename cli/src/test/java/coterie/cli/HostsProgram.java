// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import coterie.Comparison;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.testing.Openings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What the PEs of the tests of jobs on several hosts run. The first argument says what happens after the PEs have
/// exchanged some values.
final class HostsProgram {
    private HostsProgram() {}

    /// Returns the command of a PE, for launchers that are not Coterie's.
    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HostsProgram.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    public static void main(String[] args) throws Exception {
        World world = World.join();
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
        switch (args[0]) {
            case "end" -> world.close();
            case "work" -> {
                HostsWork.run(world);
                world.close();
            }
            case "input" -> input(world);
            case "copies" -> copies(world);
            case "exit" -> exit(world, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            case "abort" -> abort(world, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            case "wait" -> await(world);
            case "openings" -> {
                System.out.println(
                        "PE " + world.pe() + " of " + world.sharedTeam().size() + " opens "
                                + Openings.of(ProcessHandle.current().pid()));
                world.team().barrier();
                world.close();
            }
            case "survive" -> survive(world, args.length > 1);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /// Tells where the PE works, and whether its class and a file that the user has named are there.
    private static void copies(World world) throws IOException {
        Path work = Path.of("").toAbsolutePath();
        String its = HostsProgram.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        System.out.println("PE " + world.pe() + " works in " + work + ", runs " + its + ", has a file of "
                + Files.size(Path.of("pom.xml")) + " bytes");
        if (world.pe() == 2) {
            Files.writeString(work.resolve("result.txt"), "a result");
        }
        world.close();
    }

    private static void input(World world) throws IOException {
        System.out.println("PE " + world.pe() + " read "
                + new String(System.in.readAllBytes(), StandardCharsets.UTF_8) + " for "
                + System.getenv("FROM_OPTION"));
        world.close();
    }

    private static void exit(World world, int pe, int code) {
        if (world.pe() == pe) {
            System.exit(code);
        }
        world.team().barrier();
    }

    private static void abort(World world, int pe, int code) {
        if (world.pe() == pe) {
            throw world.abort(code);
        }
        world.team().barrier();
    }

    /// Waits for a word that no PE writes: a wait of the runtime also serves the peers.
    private static void await(World world) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("PE " + world.pe() + " was asked")));
        LongView word = world.allocate(Long.BYTES).longs();
        System.out.println("PE " + world.pe() + " up " + ProcessHandle.current().pid());
        word.waitUntil(0, Comparison.NE, 0);
    }

    /// Waits in barriers until a PE fails, and then ends. All PEs have connected to each other before they say that
    /// they are up: UCX 1.13 aborts a process whose peer disappears while the two connect.
    ///
    /// @param halts whether it ends inside its world
    private static void survive(World world, boolean halts) {
        LongView words = world.allocate((long) world.size() * Long.BYTES).longs();
        for (int pe = 0; pe < world.size(); pe++) {
            words.put(world.pe(), 1, pe);
        }
        world.context().quiet();
        world.team().barrier();
        System.out.println("PE " + world.pe() + " up " + ProcessHandle.current().pid());
        long start = System.nanoTime();
        try {
            while (true) {
                world.team().barrier();
                start = System.nanoTime();
            }
        } catch (PeFailedException e) {
            System.out.println("PE " + world.pe() + " lost " + e.failedPes() + " after "
                    + (System.nanoTime() - start) / 1_000_000 + " ms: " + e.getMessage());
            if (halts) {
                Runtime.getRuntime().halt(0);
            }
        }
    }
}
