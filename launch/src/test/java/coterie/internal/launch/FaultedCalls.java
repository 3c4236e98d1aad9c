// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CollectiveMismatchException;
import coterie.IntegerView;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.TeamRequest;
import coterie.TeamRevokedException;
import coterie.World;
import coterie.collective.Collective;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.wait.OperationKind;
import coterie.spi.PeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// The calls of a team, one after the other, with checked results. All members make all calls.
///
/// Element `i` of the source of member `m` is `10,000 m + i`.
final class FaultedCalls {
    /// Elements of a block: more than a round carries inline, or than bounce buffers hold.
    static final int COUNT = 600;

    private static final int WRONG = 99;
    private static final long MEMBER = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Words of the lock's block: the lock, and the two equal words that it protects, at member 0.
    private static final int FIRST = 8;

    private static final int SECOND = 9;

    private final World world;
    private final JobSegment job;
    private final Team team;
    private final int me;
    private final int size;

    /// Of the numbers of all members.
    private final long sum;

    /// The teams in which other members may wait for this one.
    private final List<Team> entered = new ArrayList<>();

    FaultedCalls(World world, JobSegment job, Team team) {
        this.world = world;
        this.job = job;
        this.team = team;
        this.me = team.member();
        this.size = team.size();
        this.sum = size * (size - 1L) / 2;
        entered.add(team);
    }

    static void check(long found, long expected) {
        if (found != expected) {
            new AssertionError("wrong value " + found + ", expected " + expected).printStackTrace();
            Runtime.getRuntime().halt(WRONG);
        }
    }

    static void check(boolean holds) {
        check(holds ? 1 : 0, 1);
    }

    /// Ends the collectives of all teams that this member has entered.
    void revoke() {
        entered.stream().filter(Team::isValid).forEach(Team::revoke);
    }

    /// @throws PeFailedException if a member has failed, unless this one has no need of it
    /// @throws TeamRevokedException if a member that has got an exception has left
    void run() {
        team.barrier();
        team.sync();
        check(team.sum(me), sum);
        arrays();
        long area = (long) size * COUNT;
        SymmetricMemory memory = team.allocate(2 * area * Long.BYTES);
        LongView source = memory.slice(0, area * Long.BYTES).longs();
        LongView target = memory.slice(area * Long.BYTES, area * Long.BYTES).longs();
        for (int i = 0; i < area; i++) {
            source.set(i, element(me, i));
        }
        team.barrier();
        for (int count : new int[] {1, COUNT}) {
            oneForAll(target, source, count);
            blocks(target, source, count);
        }
        new FaultedRequests(team, target, source).run();
        splits();
        form();
        lock();
        SymmetricMemory larger = memory.reallocate(3 * area * Long.BYTES);
        check(larger.longs().get(area - 1), element(me, area - 1));
        larger.free();
        team.barrier();
    }

    static long element(int member, long index) {
        return MEMBER * member + index;
    }

    /// The sum of an element over the members up to one, or over none for −1.
    static long sumTo(int member, long index) {
        return MEMBER * member * (member + 1) / 2 + (member + 1) * index;
    }

    private void oneForAll(IntegerView target, IntegerView source, int count) {
        for (int root : IntStream.of(0, size - 1).distinct().toArray()) {
            team.broadcast(target, 0, source, 0, count, root);
            check(target.get(count - 1), element(root, count - 1));
        }
        team.allReduce(Reduction.SUM, target, 0, source, 0, count);
        check(target.get(count - 1), sumTo(size - 1, count - 1));
        team.inclusiveScan(Reduction.SUM, target, 0, source, 0, count);
        check(target.get(count - 1), sumTo(me, count - 1));
        team.exclusiveScan(Reduction.SUM, target, 0, source, 0, count);
        check(target.get(count - 1), sumTo(me - 1, count - 1));
    }

    private void blocks(IntegerView target, IntegerView source, int count) {
        int last = count - 1;
        team.reduceScatter(Reduction.SUM, target, 0, source, 0, count);
        check(target.get(last), sumTo(size - 1, (long) me * count + last));
        team.allGather(target, 0, source, 0, count);
        for (int member = 0; member < size; member++) {
            check(target.get((long) member * count + last), element(member, last));
        }
        team.allGatherV(target, 0, source, 0, me % 2 == 0 ? count : 1);
        check(target.get(last), element(0, last));
        team.allToAll(target, 0, source, 0, count);
        for (int member = 0; member < size; member++) {
            check(target.get((long) member * count + last), element(member, (long) me * count + last));
        }
        team.allToAllStrided(target, 0, 1, source, 0, 1, count);
        check(target.get((long) (size - 1) * count), element(size - 1, (long) me * count));
    }

    /// Collectives on memory that is nowhere symmetric, and those that only `run` has.
    private void arrays() {
        team.run(Collective.barrier());
        long[] values = new long[COUNT];
        Arrays.fill(values, me);
        team.allReduce(Reduction.SUM, values);
        check(values[COUNT - 1], sum);
        values[0] = me;
        team.reduce(Reduction.MAX, values, size - 1);
        check(values[0], me == size - 1 ? size - 1 : me);
    }

    private void splits() {
        TeamRequest<Team> half = team.postSplitByColor(me % 2, 0);
        TeamRequest<Team> copy = team.postDuplicate();
        sumAndClose(half.await());
        sumAndClose(copy.await());
        Team destroyed = team.duplicate();
        entered.add(destroyed);
        check(destroyed.sum(1L), size);
        destroyed.destroy();
        entered.remove(destroyed);
        sumAndClose(team.splitStrided(0, 1, size));
        sumAndClose(team.splitByColor(me % 2, 0));
        Team.Axes axes = team.split2D(Math.min(2, size));
        entered.add(axes.y());
        sumAndClose(axes.x());
        sumAndClose(axes.y());
    }

    private void sumAndClose(Team other) {
        entered.add(other);
        check(other.sum(1L), other.size());
        other.close();
        entered.remove(other);
    }

    private TeamId newId() {
        return new TeamId(
                team.allReduce(Reduction.MAX, me == 0 ? world.newTeamId().value() : Long.MIN_VALUE));
    }

    /// Forms a team, and fails to form one in which all members pass the same number.
    private void form() {
        sumAndClose(world.formTeam(newId(), size, me, TeamConfig.DEFAULT, PATIENCE));
        TeamId id = newId();
        try {
            Team none = world.formTeam(id, size, 0, TeamConfig.DEFAULT, PATIENCE);
            check(size, 1);
            sumAndClose(none);
        } catch (CollectiveMismatchException | IllegalStateException e) {
            check(size > 1); // the second member abandons the team, and later ones come too late
        }
    }

    /// All members queue for a lock that member 0 holds, and add 1 to both words that it protects.
    private void lock() {
        SymmetricMemory block = team.allocate((SECOND + 1) * Long.BYTES);
        SymmetricLock lock = block.lock(0);
        if (me == 0) {
            acquire(lock, block.longs());
            try {
                team.barrier();
                awaitQueue();
            } finally {
                release(lock, block.longs());
            }
        } else {
            team.barrier();
            acquire(lock, block.longs());
            release(lock, block.longs());
        }
        for (int again = 0; again < 5; again++) {
            acquire(lock, block.longs());
            release(lock, block.longs());
        }
        team.barrier();
        check(block.longs().get(FIRST, 0), size * 6L);
        block.close();
    }

    private void acquire(SymmetricLock lock, IntegerView words) {
        OptionalInt failed = lock.lockOrRecover();
        if (failed.isPresent()) {
            check(job.status(failed.getAsInt()).state() == PeState.FAILED);
            words.put(SECOND, words.get(FIRST, 0), 0);
        }
        check(words.get(SECOND, 0), words.get(FIRST, 0));
    }

    private static void release(SymmetricLock lock, IntegerView words) {
        long next = words.get(FIRST, 0) + 1;
        words.put(FIRST, next, 0);
        words.put(SECOND, next, 0);
        lock.unlock();
    }

    /// Waits, without the runtime, until a member waits for the lock; or until one has failed, after which others
    /// may not come.
    private void awaitQueue() {
        int[] others = Arrays.stream(team.pes()).filter(pe -> pe != world.pe()).toArray();
        while (others.length > 0 && IntStream.of(others).noneMatch(this::waitsOrHasFailed)) {
            Thread.onSpinWait();
        }
    }

    private boolean waitsOrHasFailed(int pe) {
        return OperationKind.of(job.status(pe).get(StatusField.WAIT_KIND)) == OperationKind.LOCK
                || job.status(pe).state() == PeState.FAILED;
    }
}
