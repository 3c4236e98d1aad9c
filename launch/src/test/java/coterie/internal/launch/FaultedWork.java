// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static coterie.internal.launch.FaultedCalls.check;

import coterie.PeFailedException;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.world.JobEnvironment;
import coterie.spi.PeState;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// A program in which a fault may strike at any step: two passes over all calls of a team, and one more after
/// each failure, each on a team of the survivors of the pass before.
///
/// A PE prints `passed N` when it has made the calls of pass N, or has got an exception for a failed PE, `learnt PE
/// failed time noticed` when it first learns of a failure, with the time at which the launcher had noticed it,
/// and `done team` at the end. A wrong value ends it with exit code 99, see [FaultedCalls#check].
final class FaultedWork {
    /// In the second pass the team is not the world's own.
    private static final int LEAST_PASSES = 2;

    private final World world;
    private final JobSegment job;
    private final Set<Integer> known = new TreeSet<>();

    private FaultedWork(World world) {
        this.world = world;
        this.job = JobSegment.attach(Path.of(System.getenv(JobEnvironment.COTERIE_SEGMENT.name())));
    }

    public static void main(String[] args) {
        new FaultedWork(World.join()).run();
    }

    private void run() {
        Team team = world.team();
        boolean isWhole = false;
        for (int pass = 0; pass < LEAST_PASSES || !isWhole; pass++) {
            FaultedCalls calls = new FaultedCalls(world, job, team);
            try {
                calls.run();
            } catch (PeFailedException | TeamRevokedException e) {
                learn(e);
                calls.revoke(); // no member waits for this one any more
            }
            System.out.println("passed " + pass);
            int[] gone = team.syncLiving();
            learnOf(gone);
            Team next = team.survivors();
            check(IntStream.of(next.pes()).noneMatch(pe -> IntStream.of(gone).anyMatch(other -> other == pe)));
            isWhole = next.size() == team.size();
            if (pass > 0) {
                close(team);
            }
            team = next;
        }
        int[] members = team.pes();
        try {
            check(team.sum(world.pe()), IntStream.of(members).sum());
        } catch (PeFailedException | TeamRevokedException e) {
            learn(e);
        }
        try {
            world.close();
        } catch (PeFailedException | TeamRevokedException e) {
            learn(e);
        }
        System.out.println("done " + Arrays.toString(members));
    }

    private void close(Team team) {
        try {
            team.close();
        } catch (PeFailedException e) {
            learn(e);
        }
    }

    /// Checks that an exception names failed PEs and no other, and that what this PE knows grows.
    private void learn(RuntimeException e) {
        if (e instanceof PeFailedException failure) {
            check(!failure.failedPes().isEmpty());
            learnOf(failure.failedPes().stream()
                    .mapToInt(Integer::intValue)
                    .filter(pe -> !hasLeft(job.status(pe).state()))
                    .toArray());
            check(!known.isEmpty());
        }
        if (World.isJoined()) {
            int[] failed = world.failedPes();
            check(IntStream.of(failed).boxed().toList().containsAll(known));
            check(Arrays.equals(failed, IntStream.of(failed).sorted().distinct().toArray()));
            learnOf(failed);
        }
    }

    /// Returns whether a PE has learnt of the failure, and has closed its world, or has ended since then.
    private static boolean hasLeft(PeState state) {
        return state == PeState.CLOSED || state == PeState.ENDED;
    }

    private void learnOf(int[] failed) {
        long now = System.nanoTime();
        for (int pe : failed) {
            check(job.status(pe).state() == PeState.FAILED);
            if (known.add(pe)) {
                long noticed = job.status(pe).get(StatusField.ENDED_AT);
                System.out.println("learnt " + world.pe() + " " + pe + " " + now + " " + noticed);
            }
        }
    }
}
