// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.IntegerView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.TeamRevokedException;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Random collectives, the same on all PEs, with checked results, during which PEs die at random moments: the others
/// revoke their team, make one of the survivors, and go on.
///
/// Arguments: seed, number of PEs that die. Each survivor prints "done" and its last team.
final class SurvivingWork {
    private static final int ROUNDS_AFTER = 20;
    private static final int WORDS = 8192;

    private final World world = World.join();
    private final SymmetricMemory memory = world.allocate(2L * WORDS * Long.BYTES);
    private final IntegerView x = memory.longs();
    private final SymmetricMemory locks = world.allocate(64 * SymmetricLock.BYTES);
    private final long seed;
    private final int dying;
    private Team team = world.team();
    private int recoveries;

    private SurvivingWork(long seed, int dying) {
        this.seed = seed;
        this.dying = dying;
    }

    public static void main(String[] args) {
        new SurvivingWork(Long.parseLong(args[0]), Integer.parseInt(args[1])).run();
    }

    private void run() {
        world.team().barrier();
        Random fates = new Random(seed);
        for (int i = 0; i < dying; i++) {
            int victim = fates.nextInt(world.size());
            long nanos = fates.nextLong(TimeUnit.MILLISECONDS.toNanos(60));
            if (victim == world.pe()) {
                Thread.ofPlatform().daemon().start(() -> {
                    LockSupport.parkNanos(nanos);
                    Runtime.getRuntime().halt(137);
                });
            }
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(150);
        long round = 0;
        int left = ROUNDS_AFTER;
        while (left > 0) {
            try {
                boolean isLate = System.nanoTime() > end;
                left = team.allReduce(Reduction.MIN, isLate ? 1L : 0L) == 0 ? ROUNDS_AFTER : left - 1;
                work(round);
                round++;
            } catch (PeFailedException | TeamRevokedException e) {
                round = recover(round);
                left = ROUNDS_AFTER;
            }
        }
        System.out.println("done " + Arrays.toString(team.pes()));
    }

    /// Members may be one round apart, and further ones may fail in the recovery.
    private long recover(long round) {
        team.revoke();
        Team survivors = team.survivors();
        if (!team.equals(world.team())) {
            team.close();
        }
        team = survivors;
        recoveries++;
        try {
            return 1 + team.allReduce(Reduction.MAX, round);
        } catch (PeFailedException | TeamRevokedException e) {
            return recover(round);
        }
    }

    private void work(long round) {
        Random random = new Random(seed * 1_000_003 + round);
        int count = 1 << random.nextInt(13);
        int root = random.nextInt(team.size());
        long sum = Arrays.stream(team.pes()).sum();
        switch (random.nextInt(12)) {
            case 0 -> team.barrier();
            case 1 -> check(team.sum(world.pe()), sum);
            case 2 -> {
                fill(count, team.member() == root ? round : -1);
                team.broadcast(x, 0, x, 0, count, root);
                check(x.get(count - 1), round);
            }
            case 3 -> {
                fill(count, world.pe());
                team.allReduce(Reduction.SUM, x, 0, x, 0, count);
                check(x.get(count - 1), sum);
            }
            case 4 -> {
                Team half = team.splitByColour(team.member() % 2, 0);
                sumAndClose(half);
            }
            case 5 -> {
                Team.Axes axes = team.split2D(2);
                sumAndClose(axes.x(), axes.y());
            }
            case 6 -> {
                long id = team.allReduce(
                        Reduction.MAX, team.member() == root ? world.newTeamId().value() : Long.MIN_VALUE);
                Team formed = world.formTeam(
                        new TeamId(id), team.size(), team.member(), TeamConfig.DEFAULT, Duration.ofSeconds(20));
                sumAndClose(formed);
            }
            case 7 -> {
                fill(1, world.pe());
                try (Request request = team.prepare(
                        Collective.allReduce(Reduction.SUM).source(x, 0, 1).target(x, 1, 1))) {
                    request.post();
                    request.await();
                    check(x.get(1), sum);
                }
            }
            case 8 -> {
                if (recoveries == 0) {
                    world.allocate(1 << 10).close();
                }
            }
            case 9 -> {
                SymmetricLock lock = locks.lock((long) recoveries % 64 * SymmetricLock.LONGS);
                lock.lock();
                lock.unlock();
            }
            case 10 -> {
                fill(team.size() * 8, world.pe());
                team.allToAll(x, WORDS, x, 0, 8);
                check(x.get(WORDS + 8L * root), team.pe(root));
            }
            default -> team.sync();
        }
    }

    /// A member that leaves for recovery revokes every team in which others may wait for it.
    private static void sumAndClose(Team... teams) {
        try {
            for (Team each : teams) {
                check(each.sum(1L), each.size());
            }
            for (Team each : teams) {
                each.close();
            }
        } catch (PeFailedException | TeamRevokedException e) {
            for (Team each : teams) {
                if (each.isValid()) {
                    each.revoke();
                }
            }
            throw e;
        }
    }

    private void fill(int count, long value) {
        for (int i = 0; i < count; i++) {
            x.set(i, value);
        }
    }

    private static void check(long found, long expected) {
        if (found != expected) {
            System.err.println("wrong value " + found + ", expected " + expected);
            Runtime.getRuntime().halt(99);
        }
    }
}
