// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.nio.charset.StandardCharsets.UTF_8;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.collective.Explanation.Use;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.AskedCollective;
import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.component.CollectiveResources;
import coterie.internal.component.PreparedWork;
import coterie.internal.component.WorkOrder;
import coterie.internal.layer.Components;
import coterie.internal.p2p.Operator;
import coterie.internal.p2p.PlanTask;
import coterie.internal.p2p.RunArguments;
import coterie.internal.p2p.ScratchMemory;
import coterie.internal.p2p.TeamPort;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.TaskDescription;
import coterie.internal.schedule.TaskState;
import coterie.internal.sync.ByteAllgather;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Blocking collectives that go by plans, over any conduit: the runtime's own algorithms, and the tasks and
/// compositions of layers that plug in.
///
/// ```
///  prepare        a plan, and the tasks of layers that its steps begin; kept, since calls come again
///  agree          a round: on the arguments, and on what each member has prepared and has memory for
///  run the plan   it ends when my target is complete and my source is mine again
/// ```
///
/// If a member has prepared nothing, or has no memory for it, all members use the next algorithm of the
/// selection. So it is with sums and products of floating-point numbers, whose bits are to be those of the members'
/// order, however they travel: trees and rings group them otherwise. If a layer has failed to prepare on one member,
/// or members have prepared different things, all members get an exception, and the team goes on. If the run fails,
/// the team is poisoned: members that need the one of the failure get its cause in this call, and members that have
/// completed the call get it in the next one.
final class PlannedCollectives {
    /// Calls of a team whose work is kept.
    private static final int KEPT = 32;

    /// Scratch memory that stays for the next call. To take more anew costs little beside the call, and the program
    /// or a request may need it meanwhile.
    private static final long MOST_KEPT_SCRATCH = 4L << 20;

    /// The word of a round that says what a member has prepared.
    static final int PREPARED = 1;

    private static final int NOTHING = 0;
    static final int PLAN = 1;
    private static final int TASK = 2;
    private static final int FAILED = 3;

    private static final long NONE = -1;
    private final TeamSync teamSync;
    private final Membership membership;
    private final CollectiveResources resources;
    private final AlgorithmSelector selector;
    private final TeamPort port;

    /// What was used last is in front; looked through, which allocates nothing.
    private final List<Kept> recent = new ArrayList<>(KEPT);

    private final ScratchMemory lent;
    private long scratch = NONE;
    private long scratchBytes;

    PlannedCollectives(TeamSync teamSync, CollectiveResources resources, AlgorithmSelector selector, TeamPort port) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.resources = resources;
        this.selector = selector;
        this.port = port;
        this.lent = new ScratchMemory() {
            @Override
            public long acquire(long bytes) {
                return hasScratch(bytes) ? scratch : NONE;
            }

            @Override
            public void release(long offset, long bytes) {} // it stays for the next call
        };
        teamSync.syncRound().notice().toldCause(port::toldCause);
    }

    /// What has been prepared for a call, and what it depends on.
    private static final class Kept {
        private final CollectiveAlgorithm way;
        private final AskedCollective asked;
        private final long length;

        /// Null if an algorithm of the runtime's own declines, as it does on all members.
        private final @Nullable PreparedWork work;

        /// Null until it is first run.
        private @Nullable PlanTask task;

        Kept(Call call, CollectiveAlgorithm way, AskedCollective asked, @Nullable PreparedWork work) {
            this.way = way;
            this.asked = asked;
            this.length = call.length();
            this.work = work;
        }

        /// @param scratch where the scratch memory is now
        boolean isFor(Call call, CollectiveAlgorithm other, long scratch) {
            return length == call.length()
                    && asked.shape().type() == call.type
                    && asked.shape().root() == call.root
                    && Objects.equals(asked.operator(), call.reducing())
                    && asked.elements() == call.elements
                    && asked.shape().inPlace() == call.isInPlace()
                    && (work == null || work.tasks().isEmpty() || (asked.from() == call.from && asked.to() == call.to))
                    && (work == null || work.scratch() == PreparedWork.NONE || work.scratch() == scratch)
                    && way.equals(other);
        }

        void close() {
            PlanTask made = task;
            if (made != null && made.state() != TaskState.FINALIZED) {
                Components.quietly("the task of a " + asked.shape().type().label(), made::finalise);
            } else if (made == null && work != null) {
                work.close();
            }
        }
    }

    /// Goes this way if all members can; if not, they know it, and have met unless all know it of themselves.
    ///
    /// @param way other than a native one
    /// @return whether it was gone
    boolean run(Call call, CollectiveAlgorithm way) {
        if (!CollectiveAlgorithm.isCalledByPlans(call.type)
                || !teamSync.syncRound().isAllToAll()) {
            return false;
        }
        Kept kept = null;
        RuntimeException failure = null;
        if (way instanceof CollectiveAlgorithm.Planned) {
            kept = call.isRounding() && membership.size() > 1 ? null : kept(call, way);
            if (kept == null || kept.work == null) {
                return false;
            }
        } else {
            try {
                kept = call.hasPlace() ? kept(call, way) : null;
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        PreparedWork work = kept == null ? null : kept.work;
        int reported = agree(call, work, failure);
        if ((reported & 1 << FAILED) != 0) {
            throw failed(call, failure);
        }
        if (kept == null || work == null || (reported & 1 << NOTHING) != 0) {
            return false;
        }
        if (reported != 1 << (work.isTask() ? TASK : PLAN)) {
            throw differ(call);
        }
        run(call, kept, work);
        return true;
    }

    /// Meets, and tells what I have prepared; returns a bit for each of what members have.
    private int agree(Call call, @Nullable PreparedWork work, @Nullable RuntimeException failure) {
        int mine = failure != null ? FAILED : NOTHING;
        if (work != null
                && call.hasPlace()
                && port.tryOpen()
                && hasScratch(work.plan().scratchBytes())) {
            mine = work.isTask() ? TASK : PLAN;
        }
        SyncRound round = teamSync.syncRound();
        round.send(PREPARED, mine);
        teamSync.agree(call.agreed, PREPARED + 1);
        int bits = 0;
        for (int member = 0; member < membership.size(); member++) {
            bits |= 1 << round.received(member, PREPARED);
        }
        return bits;
    }

    private int firstWith(int what) {
        return teamSync.syncRound().firstWith(PREPARED, what);
    }

    /// Returns the exception of a layer that has failed to prepare on a member, for all members.
    private RuntimeException failed(Call call, @Nullable RuntimeException failure) {
        int member = firstWith(FAILED);
        String mine = failure == null ? "" : String.valueOf(failure.getMessage());
        byte[][] causes = ByteAllgather.exchange(teamSync, call.kind, mine.getBytes(UTF_8));
        String prefix = membership.messagePrefix(call.kind.label());
        return failure != null
                ? failure
                : new CoterieException(prefix + "the layer that serves this call failed to prepare it on PE "
                        + membership.pe(member) + ": " + new String(causes[member], UTF_8));
    }

    /// Returns the exception for members that have prepared different things.
    private CollectiveMismatchException differ(Call call) {
        return new CollectiveMismatchException(membership.messagePrefix(call.kind.label())
                + "the layer that serves this call prepared a task on PE " + membership.pe(firstWith(TASK))
                + " and a composition on PE " + membership.pe(firstWith(PLAN)) + "; both must be of one kind");
    }

    /// Returns null if a layer declines.
    private @Nullable Kept kept(Call call, CollectiveAlgorithm way) {
        for (int place = 0; place < recent.size(); place++) {
            Kept each = recent.get(place);
            if (each.isFor(call, way, scratch)) {
                for (int behind = place; behind > 0; behind--) {
                    recent.set(behind, recent.get(behind - 1));
                }
                recent.set(0, each);
                return each;
            }
        }
        AskedCollective asked = asked(call);
        Operator folding = new KernelOperator(call.reduction, call.elements);
        Optional<PreparedWork> work =
                selector.prepare(way, new WorkOrder(asked, folding, Persistence.PERSISTENT, Use.CALL, lent));
        if (work.isEmpty() && !(way instanceof CollectiveAlgorithm.Planned)) {
            return null;
        }
        if (recent.size() == KEPT) {
            recent.removeLast().close();
        }
        Kept made = new Kept(call, way, asked, work.orElse(null));
        recent.addFirst(made);
        return made;
    }

    /// What an algorithm must know of a call that all members know all blocks of.
    private AskedCollective asked(Call call) {
        CollectiveShape shape = CollectiveShape.even(
                call.type,
                membership.size(),
                membership.me(),
                call.root,
                call.length(),
                call.width(),
                AskedCollective.order(call.reducing(), call.elements),
                call.isInPlace(),
                resources.registry().radix(call.bytes, membership.size()));
        return new AskedCollective(call.kind, shape, call.elements, call.reducing(), call.from, call.to, List.of());
    }

    private void run(Call call, Kept kept, PreparedWork work) {
        try {
            PlanTask task = kept.task;
            if (task == null) {
                task = task(call, work);
                kept.task = task;
            }
            long number = teamSync.syncRound().sequence();
            if (work.completesAtOnce(number)) {
                return;
            }
            task.set(0, number, call.from, call.to, scratch);
            task.post();
            task.await();
            if (scratchBytes > MOST_KEPT_SCRATCH && work.tasks().isEmpty()) {
                releaseScratch(); // all messages into it have arrived
            }
        } catch (RuntimeException e) {
            recent.remove(kept);
            kept.close();
            teamSync.fail(e);
            throw e;
        }
    }

    private PlanTask task(Call call, PreparedWork work) {
        return new PlanTask(
                        resources.engine(),
                        new TaskDescription(call.type.label(), call.kind, membership.label()),
                        Persistence.PERSISTENT,
                        port.calls(),
                        work.plan(),
                        RunArguments.of(call.bytes),
                        new KernelOperator(call.reduction, call.elements))
                .with(work.tasks());
    }

    private boolean hasScratch(long bytes) {
        if (bytes > scratchBytes) {
            releaseScratch();
            scratch = resources.scratch().acquire(bytes);
            scratchBytes = scratch == NONE ? 0 : bytes;
        }
        return bytes <= scratchBytes;
    }

    /// Gives back the scratch memory; all writes by plans have ended.
    void releaseScratch() {
        if (scratch != NONE) {
            resources.scratch().release(scratch, scratchBytes);
            scratch = NONE;
            scratchBytes = 0;
        }
    }

    /// Closes what is kept; nothing is under way.
    void close() {
        recent.forEach(Kept::close);
        recent.clear();
    }
}
