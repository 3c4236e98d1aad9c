// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.Comparison;
import coterie.Context;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamId;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.internal.launch.Jobs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/// What PEs run of which one is killed: the others print what they learn.
final class KilledPePrograms {
    /// The job's name, by which PEs find it.
    static final String JOB = "killed PE";

    private KilledPePrograms() {}

    /// PE 1 is killed while all others wait for its words.
    static final class Waiting {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            SymmetricMemory block = world.allocate(2 * Long.BYTES);
            LongView words = block.longs();
            world.team().barrier();
            switch (world.pe()) {
                case 0 -> printFailure(() -> words.waitUntil(0, Comparison.EQ, 1));
                case 1 -> {
                    awaitWaiting("waitUntil", 0, 2, 3);
                    kill(ProcessHandle.current().pid());
                }
                case 2 -> printFailure(() -> block.signal(1).waitUntil(Comparison.EQ, 1));
                default -> printFailure(() -> words.waitSet(0, 2).waitAll(Comparison.EQ, 1));
            }
            printFailure(() -> {
                try {
                    words.waitUntil(0, Comparison.EQ, 1, Duration.ofMillis(1));
                } catch (WaitTimeoutException e) {
                    System.out.println("next wait: timeout");
                }
            });
            printFailure(world::close);
        }
    }

    /// PE 1 is killed while all others wait for it in a split.
    static final class Splitting {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            world.team().barrier();
            if (world.pe() == 1) {
                awaitWaiting("split2D", 0, 2, 3);
                kill(ProcessHandle.current().pid());
            }
            printFailure(() -> world.team().split2D(2));
            printFailure(() -> world.team().splitStrided(0, 2, 2));
            printFailure(world::close);
        }
    }

    /// PE 1 is killed while all others wait for it in the forming of a team; they go on as a team without it.
    static final class Forming {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            LongView ids = world.allocate(2 * Long.BYTES).longs();
            if (world.pe() == 0) {
                for (int index = 0; index < 2; index++) {
                    long id = world.newTeamId().value();
                    for (int pe = 0; pe < world.size(); pe++) {
                        ids.put(index, id, pe);
                    }
                }
            }
            world.team().barrier();
            if (world.pe() == 1) {
                awaitWaiting("formTeam", 0, 2, 3);
                kill(ProcessHandle.current().pid());
            }
            printFailure(() -> world.formTeam(new TeamId(ids.get(0)), 4, world.pe()));
            try (Team living = world.formTeam(new TeamId(ids.get(1)), 3, Math.max(0, world.pe() - 1));
                    Team reversed = living.splitStrided(2, -1, 3)) {
                System.out.println(
                        living.size() + " live, " + reversed.member() + ", " + reversed.sum((long) world.pe()));
            }
            printFailure(world::close);
        }
    }

    /// PE 0 is killed while it holds a lock that all others wait for.
    static final class HoldingALock {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            SymmetricLock lock = world.allocate(SymmetricLock.BYTES).lock(0);
            if (world.pe() == 0) {
                lock.lock();
                world.team().barrier();
                awaitWaiting("lock", 1, 2, 3);
                kill(ProcessHandle.current().pid());
            }
            world.team().barrier();
            for (int again = 0; again < 3; again++) {
                printFailure(lock::lock);
            }
            printFailure(world.team()::barrier);
            printFailure(lock::tryLock);
            world.team().syncLiving();
            if (world.pe() == 1) {
                System.out.println("recovers from " + lock.lockOrRecover());
                lock.unlock();
            }
            world.team().syncLiving();
            lock.lock();
            System.out.println("has it again");
            lock.unlock();
            printFailure(world::close);
        }
    }

    /// PE 0 holds a lock that the others wait for in their order, of which PE 2 is killed.
    static final class WaitingForALock {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
            SymmetricLock lock = block.lock(0);
            LockQueues.awaitLast(world, block.longs(), world.pe());
            lock.lock();
            if (world.pe() == 0) {
                awaitWaiting("lock", 1, 2, 3, 4);
                kill(find(pe -> pe.pe() == 2).pid());
            }
            System.out.println("has it");
            lock.unlock();
            world.team().syncLiving();
            System.out.println("and later: " + lock.lockOrRecover());
            lock.unlock();
            printFailure(world::close);
        }
    }

    /// PE 1 is killed while PE 0 has three contexts, the last of which it makes afterwards.
    static final class Quieting {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            Context older = world.team().createContext();
            world.team().syncLiving(); // a barrier could end by the failure
            if (world.pe() == 1) {
                kill(ProcessHandle.current().pid());
            }
            find(pe -> pe.pe() == 1 && pe.state().equals("failed"));
            quiet("default", world.context());
            quiet("older", older);
            quiet("newer", world.team().createContext());
            printFailure(world::close);
        }

        private static void quiet(String name, Context context) {
            System.out.print(name + " ");
            printFailure(context::quiet);
            context.quiet();
            System.out.println(name + " is quiet");
        }
    }

    private static void printFailure(Runnable operation) {
        try {
            operation.run();
        } catch (PeFailedException e) {
            System.out.println("lost " + e.failedPes() + ": " + e.getMessage());
        }
    }

    /// Reads status pages as `coterie ps` does: a PE that waits for long reports its wait on its page.
    private static void awaitWaiting(String operation, int... pes) {
        for (int number : pes) {
            find(pe -> pe.pe() == number && pe.doing().startsWith("waiting in " + operation));
        }
    }

    /// Waits until a PE of this job is as described.
    private static Jobs.Pe find(Predicate<Jobs.Pe> wanted) {
        long launcher = ProcessHandle.current().parent().orElseThrow().pid();
        while (true) {
            List<Jobs.Pe> found = Jobs.list().running().stream()
                    .filter(job -> job.launcherPid() == launcher && job.name().equals(JOB))
                    .flatMap(job -> job.pes().stream())
                    .filter(wanted)
                    .toList();
            if (!found.isEmpty()) {
                return found.getFirst();
            }
            Thread.onSpinWait();
        }
    }

    private static void kill(long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-9", Long.toString(pid)).start().waitFor();
        if (pid == ProcessHandle.current().pid()) {
            new CountDownLatch(1).await();
        }
    }
}
