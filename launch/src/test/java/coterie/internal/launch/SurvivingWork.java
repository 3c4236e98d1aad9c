// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CollectiveMismatchException;
import coterie.LongView;
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
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.world.JobEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Random collectives, the same on all PEs, with checked results, during which signal 9 kills PEs at random
/// moments: the others revoke their team, make one of the survivors, and go on.
///
/// Arguments: seed, number of PEs that a signal kills. A PE prints `killed PE time` before its end, a survivor
/// `learnt PE failed time noticed` at its first exception after it, with the time at which the launcher had
/// noticed the death, and `done team` at the end. Times are [System#nanoTime], which all processes of a node
/// share.
final class SurvivingWork {
    private static final int ROUNDS_AFTER = 20;
    private static final int WORDS = 8192;

    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long LATEST_KILL_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    /// A recovery takes about a millisecond.
    private static final long LATEST_KILL_IN_RECOVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final World world = World.join();
    private final JobSegment job = JobSegment.attach(Path.of(System.getenv(JobEnvironment.COTERIE_SEGMENT.name())));
    private final SymmetricMemory memory = world.allocate(2L * WORDS * Long.BYTES);
    private final LongView x = memory.longs();
    private final SymmetricMemory locks = world.allocate(64 * SymmetricLock.BYTES);

    /// A lock and the two equal words that it protects, at PE 0.
    private final SymmetricMemory protectedPair = world.allocate((SymmetricLock.LONGS + 2) * Long.BYTES);
    private final long seed;
    private final int dying;
    private final Set<Integer> learnt = new HashSet<>();
    private Team team = world.team();

    /// Memory of the team, which the living members free.
    private @Nullable SymmetricMemory kept;
    private int recoveries;

    /// When this PE is to be killed after its first recovery has begun, or −1.
    private long killInRecoveryNanos = -1;

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
            long nanos = fates.nextLong(LATEST_KILL_NANOS);
            boolean inRecovery = i > 0 && fates.nextBoolean();
            if (victim == world.pe() && inRecovery) {
                killInRecoveryNanos = nanos % LATEST_KILL_IN_RECOVERY_NANOS;
            } else if (victim == world.pe()) {
                SelfKill.after(world.pe(), nanos);
            }
        }
        long end = System.nanoTime() + WORK_NANOS;
        long round = 0;
        int left = ROUNDS_AFTER;
        while (left > 0) {
            try {
                boolean isLate = System.nanoTime() > end;
                left = team.allReduce(Reduction.MIN, isLate ? 1L : 0L) == 0 ? ROUNDS_AFTER : left - 1;
                work(round);
                round++;
            } catch (PeFailedException | TeamRevokedException | CollectiveMismatchException e) {
                learn(System.nanoTime());
                round = recover(round);
                left = ROUNDS_AFTER;
            }
        }
        System.out.println("done " + Arrays.toString(team.pes()));
    }

    /// Prints which failures an exception, or a list of survivors, has told this PE of.
    private void learn(long nanos) {
        for (int failed : world.failedPes()) {
            if (learnt.add(failed)) {
                long noticed = job.status(failed).get(StatusField.ENDED_AT);
                System.out.println("learnt " + world.pe() + " " + failed + " " + nanos + " " + noticed);
            }
        }
    }

    /// Members may be one round apart, and further ones may fail in the recovery.
    private long recover(long round) {
        if (killInRecoveryNanos >= 0) {
            SelfKill.after(world.pe(), killInRecoveryNanos);
            killInRecoveryNanos = -1;
        }
        team.revoke();
        Team survivors = agreed();
        learn(System.nanoTime());
        if (!team.equals(world.team())) {
            team.close();
        }
        team = survivors;
        recoveries++;
        try {
            return 1 + team.allReduce(Reduction.MAX, round);
        } catch (PeFailedException | TeamRevokedException e) {
            learn(System.nanoTime());
            return recover(round);
        }
    }

    /// Frees the team's memory and makes a team of the living members. The first call may meet a member that has
    /// come to `syncLiving` in its work: then all get a mismatch, recover, and make the same calls.
    private Team agreed() {
        try {
            if (kept != null) {
                kept.freeLiving();
                kept = null;
            }
            return team.survivors();
        } catch (CollectiveMismatchException e) {
            return agreed();
        }
    }

    private void work(long round) {
        Random random = new Random(seed * 1_000_003 + round);
        int count = 1 << random.nextInt(13);
        int root = random.nextInt(team.size());
        long sum = Arrays.stream(team.pes()).sum();
        switch (random.nextInt(17)) {
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
                Team half = team.splitByColor(team.member() % 2, 0);
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
            case 11, 12 -> team.syncLiving();
            case 13 -> {
                SymmetricMemory block = team.allocate(8L * team.size() + random.nextInt(10_000));
                block.longs().put(team.member(), world.pe(), root);
                team.barrier();
                check(block.longs().get(root, root), team.pe(root));
                block.close();
            }
            case 14 -> {
                if (kept == null) {
                    kept = team.allocate(8L * team.size());
                }
                kept.longs().put(team.member(), round, (team.member() + 1) % team.size());
                team.barrier();
                check(kept.longs().get((team.member() + team.size() - 1) % team.size()), round);
                team.barrier();
            }
            case 15 -> incrementPair();
            default -> team.sync();
        }
    }

    /// Adds 1 to both words of the pair, and first restores what a PE has left that a signal killed in between.
    private void incrementPair() {
        LongView pair = protectedPair.longs();
        SymmetricLock lock = protectedPair.lock(2);
        OptionalInt failed = lock.lockOrRecover();
        long value = pair.get(0, 0);
        if (failed.isPresent()) {
            check(Arrays.stream(world.failedPes()).anyMatch(pe -> pe == failed.getAsInt()) ? 1 : 0, 1);
            pair.put(1, value, 0);
        }
        check(pair.get(1, 0), value);
        pair.put(0, value + 1, 0);
        pair.put(1, value + 1, 0);
        lock.unlock();
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
