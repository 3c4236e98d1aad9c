// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What PEs run in these tests.
final class Programs {
    private Programs() {}

    static int pe() {
        return Integer.parseInt(System.getenv("COTERIE_PE"));
    }

    static void waitForever() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /// Ends PE `args[0]` with exit code `args[1]`; the others end well.
    static final class Exits {
        public static void main(String[] args) {
            if (pe() == Integer.parseInt(args[0])) {
                System.exit(Integer.parseInt(args[1]));
            }
        }
    }

    /// PE `args[0]` ends with exit code `args[1]`; the others wait forever.
    static final class ExitsAmongWaiting {
        public static void main(String[] args) throws InterruptedException {
            if (pe() == Integer.parseInt(args[0])) {
                System.exit(Integer.parseInt(args[1]));
            }
            waitForever();
        }
    }

    /// A thread beside the main one throws, while main waits.
    static final class ThrowsElsewhere {
        public static void main(String[] args) throws InterruptedException {
            new Thread(
                            () -> {
                                throw new IllegalStateException("thrown elsewhere");
                            },
                            "elsewhere")
                    .start();
            waitForever();
        }
    }

    static final class ThrowsFromMain {
        public static void main(String[] args) {
            if (args.length == 0) {
                throw new IllegalStateException("thrown from main");
            }
        }
    }

    /// All PEs throw: PE `args[1]` another exception than the others. None ends before the others have thrown.
    static final class AllThrow {
        public static void main(String[] args) {
            Path folder = Path.of(args[0]);
            World world = World.join();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    Files.createFile(folder.resolve("pe" + world.pe()));
                    for (int pe = 0; pe < world.size(); pe++) {
                        while (!Files.exists(folder.resolve("pe" + pe))) {
                            Thread.onSpinWait();
                        }
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
            world.team().barrier();
            if (world.pe() == Integer.parseInt(args[1])) {
                throw new IllegalStateException("another one");
            }
            throw new IllegalStateException("what PE " + world.pe() + " has found");
        }
    }

    /// Prints "ready", and waits forever.
    static final class Waits {
        public static void main(String[] args) throws InterruptedException {
            System.out.println("ready");
            waitForever();
        }
    }

    /// Waits like [Waits], and ignores the request to end.
    static final class WaitsAgainstTerm {
        public static void main(String[] args) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    waitForever();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
            System.out.println("ready");
            waitForever();
        }
    }

    /// Prints `args[0]` lines of `args[1]` characters, then one as long without an end, in pieces; to both
    /// streams.
    static final class Prints {
        public static void main(String[] args) throws InterruptedException {
            int length = Integer.parseInt(args[1]);
            Thread other = new Thread(() -> print(System.err, Integer.parseInt(args[0]), "e" + pe(), length));
            other.start();
            print(System.out, Integer.parseInt(args[0]), "o" + pe(), length);
            other.join();
        }

        private static void print(PrintStream to, int lines, String piece, int length) {
            String half = piece.repeat(length / piece.length() / 2);
            for (int i = 0; i < lines; i++) {
                to.print(half);
                to.flush();
                to.println(half);
            }
            to.print(half + half);
            to.flush();
        }
    }

    /// Prints what it reads, and then "end".
    static final class Reads {
        public static void main(String[] args) throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println("read " + line);
            }
            System.out.println("end");
        }
    }

    /// Allocates and synchronizes, prints "works", and then why no team of its own can be made, if so.
    static final class UsesSegment {
        public static void main(String[] args) {
            World world = World.join();
            SymmetricMemory memory = world.allocate(64);
            memory.longs().add(0, 1, 0);
            world.team().barrier();
            System.out.println("works");
            try {
                world.team().splitStrided(0, 1, world.size()).barrier();
            } catch (CoterieException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /// Prints how often this process has a heap mapped.
    static final class CountsHeapMappings {
        public static void main(String[] args) throws IOException {
            World world = World.join();
            for (int round = 0; round < 2; round++) {
                SymmetricMemory memory = world.allocate(64);
                for (int pe = 0; pe < world.size(); pe++) {
                    memory.longs().add(0, 1, pe);
                }
                world.team().barrier();
                if (world.pe() == 0) {
                    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                        System.out.println("mapped "
                                + maps.filter(line -> line.contains("coterie-heap"))
                                        .count() + ", counted " + memory.longs().get(0));
                    }
                }
                world.close();
                world = World.join();
            }
        }
    }

    /// Its main thread ends interrupted, before another thread of it ends.
    static final class EndsInterrupted {
        public static void main(String[] args) {
            World world = World.join();
            Thread main = Thread.currentThread();
            new Thread(() -> {
                        while (main.getState() != Thread.State.WAITING) {
                            Thread.onSpinWait();
                        }
                        main.interrupt();
                        System.out.println("ended");
                    })
                    .start();
            main.interrupt();
            world.team().barrier();
        }
    }

    /// Counts in a static variable.
    static final class Counts {
        private static int count;

        public static void main(String[] args) throws InterruptedException {
            try (World world = World.join()) {
                count++;
                world.team().barrier();
                System.out.println("PE " + world.pe() + " counts " + count);
                Thread helper = new Thread(() -> System.out.println("PE " + world.pe() + " has a thread"));
                helper.start();
                helper.join();
            }
        }
    }

    /// PE 2 is killed, and the others learn of it from the list of survivors alone.
    static final class AsksForSurvivors {
        public static void main(String[] args) {
            World world = World.join();
            if (world.pe() == 2) {
                Runtime.getRuntime().halt(137);
            }
            System.out.println(
                    "survivors " + Arrays.toString(world.team().survivors().pes()));
        }
    }

    /// The last PE does what `args[0]` names while the others are in a barrier.
    static final class LeavesOthersInBarrier {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            world.team().barrier();
            if (world.pe() == world.size() - 1) {
                awaitOthersInBarrier();
                switch (args[0]) {
                    case "exit" -> System.exit(0);
                    case "abort" -> throw world.abort(9);
                    case "throw" -> throw new IllegalStateException("left the others");
                    case "kill" -> {
                        new ProcessBuilder(
                                        "kill",
                                        "-9",
                                        Long.toString(ProcessHandle.current().pid()))
                                .start();
                        waitForever();
                    }
                    default -> waitForever();
                }
            }
            try {
                world.team().barrier();
            } catch (PeFailedException e) {
                System.out.println("PE " + world.pe() + " lost " + e.failedPes());
            }
        }

        /// Reads the status pages like `coterie ps`: a PE that waits for long publishes its wait there.
        private static void awaitOthersInBarrier() {
            long launcher = ProcessHandle.current().parent().orElseThrow().pid();
            boolean waiting;
            do {
                waiting = Jobs.list().running().stream()
                        .filter(job -> job.launcherPid() == launcher)
                        .flatMap(job -> job.pes().stream().limit(job.pes().size() - 1))
                        .allMatch(pe -> pe.doing().startsWith("waiting in barrier"));
                Thread.onSpinWait();
            } while (!waiting);
        }
    }

    /// One PE ends the job, whatever the others do.
    static final class Aborts {
        public static void main(String[] args) {
            World world = World.join();
            world.team().barrier();
            if (world.pe() == world.size() - 1) {
                throw world.abort(9);
            }
            world.team().barrier();
        }
    }

    /// Synchronizes with the others again and again.
    static final class MeetsForever {
        public static void main(String[] args) {
            World world = World.join();
            while (true) {
                world.team().barrier();
            }
        }
    }

    /// Returns from main with its world open, as all others do, joined by two threads, of which it is left to the
    /// other.
    static final class LeavesWorldOpen {
        public static void main(String[] args) throws InterruptedException {
            Thread first = new Thread(() -> World.join(ThreadLevel.FUNNELED));
            first.start();
            first.join();
            World world = World.join();
            System.out.println("PE " + world.pe() + " returns");
        }
    }

    /// Prints which PE its threads belong to.
    static final class FindsItsPe {
        public static void main(String[] args) throws InterruptedException {
            try (World world = World.join()) {
                StringBuilder found = new StringBuilder("PE " + world.pe() + ":");
                Thread.ofVirtual().start(() -> tell("virtual", found)).join();
                Thread.ofPlatform().start(() -> tell("platform", found)).join();
                System.out.println(found);
            }
        }

        private static void tell(String who, StringBuilder found) {
            try {
                found.append(' ').append(who).append(' ').append(World.join().pe());
            } catch (RuntimeException e) {
                found.append(e);
            }
        }
    }

    /// Synchronizes with the others until one has failed.
    static final class LosesOthers {
        public static void main(String[] args) {
            World world = World.join();
            try {
                while (true) {
                    world.team().barrier();
                }
            } catch (PeFailedException e) {
                System.out.println("PE " + world.pe() + " lost " + e.failedPes());
            }
            try {
                world.close();
            } catch (PeFailedException e) {
                System.out.println("PE " + world.pe() + " closed without " + e.failedPes());
            }
        }
    }

    /// Prints whose memory is mapped.
    static final class TellsWhoseMemoryItSees {
        public static void main(String[] args) {
            try (World world = World.join();
                    SymmetricMemory memory = world.allocate(8)) {
                System.out.println("PE " + world.pe() + " sees "
                        + IntStream.range(0, world.size())
                                .filter(pe -> memory.segment(pe).isPresent())
                                .boxed()
                                .toList());
            }
        }
    }

    /// Runs for ever without waiting.
    static final class Spins {
        static boolean goesOn = true;

        public static void main(String[] args) {
            while (goesOn) {
                Thread.onSpinWait();
            }
        }
    }

    /// Starts a job of [Waits] in the same way as the tests, and waits for its end.
    static final class StartsInnerJob {
        public static void main(String[] args) throws Exception {
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            Launching.classPathText(),
                            Launching.class.getName(),
                            "input=NONE",
                            "--",
                            Waits.class.getName())
                    .inheritIO()
                    .start()
                    .waitFor();
        }
    }

    /// A class that can't be run.
    static final class NoMain {}
}
