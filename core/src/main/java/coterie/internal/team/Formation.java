// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.internal.sync.SyncLines;
import coterie.internal.team.SlotState.Phase;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// What one participant does to form a team by an id:
///
/// ```
///  step 0  enter            throw if the slot is decided already
///       1    │ claim         the team's size, and then the participant's number: the first participant gets it
///       2    │ prepare       allocate lines, publish their offset
///       3    │ count         the last participant that is ready commits the team; step 4 is before it sets the
///       flags 5    ▼ await         a flag in the participant's lines; after a timeout or a failure, abandon the
///          team leave            with the team, or with the reason for its absence
/// ```
///
/// **Failures.** A team can't be complete if a participant has failed, or fewer PEs live than it needs. If the PE
/// that decides fails before it has set all flags, the others read the decision from the slot's state. A failed
/// participant leaves nothing but the slot, which the root never uses again.
final class Formation implements FailureCheck {
    private static final OperationKind KIND = OperationKind.FORM;
    private static final int NO_PE = -1;

    private final FormationSlot formationSlot;
    private final SlotId id;
    private final int me;
    private final int worldSize;
    private final int size;
    private final int member;
    private final SyncArea area;
    private final PeRuntime runtime;
    private final WaitingRoom room;
    private final FormationErrors refusal;
    private final FormationCommit commit;

    /// Offset of this participant's lines.
    private long lines;

    /// The reason for a lack of memory for lines, or null.
    private @Nullable String shortage;

    /// The number of terminated PEs when [#check] last read the slot.
    private int lookedAt;

    /// A terminated PE that [#check] has found to be needed.
    private int lost = NO_PE;

    /// @param worldSize PEs of the world
    Formation(
            FormationSlot formationSlot,
            SlotId id,
            int me,
            int worldSize,
            int size,
            int member,
            SyncArea area,
            PeRuntime runtime) {
        this.formationSlot = formationSlot;
        this.id = id;
        this.me = me;
        this.worldSize = worldSize;
        this.size = size;
        this.member = member;
        this.area = area;
        this.runtime = runtime;
        this.room = runtime.room();
        this.refusal = new FormationErrors(formationSlot, id, me, worldSize, runtime);
        this.commit = new FormationCommit(formationSlot, id, me, runtime, refusal);
    }

    /// Joins, waits for the others, and returns the members of the team.
    ///
    /// @param contexts of the team's config
    /// @throws RuntimeException on all participants, if the team is not formed; on this one only, if it is too
    ///     late
    FormedMembers run(int contexts, long timeoutNanos) {
        long start = room.nanoTime();
        runtime.counters().collectives++;
        runtime.step(KIND, 0);
        enter();
        runtime.step(KIND, 1);
        if (!claimSize() || !claimNumber()) {
            throw refused();
        }
        runtime.step(KIND, 2);
        if (!prepare(contexts)) {
            throw refused();
        }
        runtime.step(KIND, 3);
        count();
        runtime.step(KIND, 5);
        await(timeoutNanos, start);
        return verdict();
    }

    private void enter() {
        if (formationSlot.load(FormationSlot.ID) != id.teamId().value()) {
            throw refusal.unknownId();
        }
        SlotState state = formationSlot.state();
        while (state.serial() == id.serial() && state.isOpen()) {
            if (formationSlot.change(state, state.entered())) {
                return;
            }
            state = formationSlot.state();
        }
        throw refusal.tooLate(state);
    }

    private boolean claimSize() {
        long before = formationSlot.swap(FormationSlot.SIZE, 0, size | (me + 1L) << Integer.SIZE);
        if (before == 0 || (int) before == size) {
            return true;
        }
        commit.giveUp(FormationReason.SIZE, size);
        return false;
    }

    private boolean claimNumber() {
        long before = formationSlot.swap(FormationSlot.entry(member), 0, claimPlace());
        if (before == 0) {
            commit.sparing(member);
            return true;
        }
        if ((before & FormationSlot.CLAIMED) != 0) {
            commit.giveUp(FormationReason.NUMBER, member);
        }
        return false;
    }

    private long claimPlace() {
        return FormationSlot.CLAIMED | (me + 1);
    }

    /// Marks this participant's entry as ready, unless the entry is closed or memory lacks; returns whether it is
    /// ready.
    private boolean prepare(int contexts) {
        try {
            lines = area.allocate(SyncLines.count(size));
        } catch (SyncMemoryException e) {
            shortage = e.getMessage();
            commit.giveUp(FormationReason.MEMORY, member);
            return false;
        }
        formationSlot.describe(member, lines, contexts);
        if (formationSlot.swap(FormationSlot.entry(member), claimPlace(), claimPlace() | FormationSlot.READY)
                == claimPlace()) {
            return true;
        }
        area.release(lines, SyncLines.count(size));
        return false;
    }

    /// Counts this participant's entry, and decides if it is the last one.
    private void count() {
        SlotState state = commit.state();
        boolean counted = false;
        while (state.isOpen() && !counted) {
            if (state.ready() + 1 < size) {
                counted = formationSlot.change(state, state.counted());
            } else {
                int failed = runtime.hasFailures() ? needed(state) : NO_PE;
                if (failed == NO_PE) {
                    counted = commit.form(state, size);
                } else {
                    commit.giveUp(FormationReason.LOST, failed);
                }
            }
            state = counted ? state : commit.state();
        }
    }

    /// Waits until the team is decided, and no PE can still set this participant's flag.
    private void await(long timeoutNanos, long start) {
        long left = timeoutNanos == WaitingRoom.FOREVER
                ? timeoutNanos
                : Math.max(1, timeoutNanos - (room.nanoTime() - start));
        while (!commit.isMine()) {
            lookedAt = 0;
            try {
                int flags = FormationCommit.FORMED | FormationCommit.FAILED;
                if (room.awaitBits(area.address(FormationSlot.flag(lines, member)), flags, KIND, NO_PE, left, this)
                        != 0) {
                    observed(FormationSlot.flag(lines, member));
                    return;
                }
                commit.giveUp(FormationReason.TIME, member);
            } catch (PeFailedException e) {
                SlotState state = commit.state();
                if (!state.isOpen() && runtime.hasTerminated(state.decider())) {
                    return;
                }
                commit.giveUp(FormationReason.LOST, lost);
            }
            left = WaitingRoom.FOREVER;
        }
    }

    /// Reports to the access observer, if there is one, that this participant's flag is set.
    private void observed(long flag) {
        AccessObserver observer = runtime.observer();
        if (observer != null) {
            observer.observed(Region.SYNC, flag, Long.BYTES);
        }
    }

    /// Returns an exception if a PE that the team needs has failed, or null.
    @Override
    public @Nullable PeFailedException check() {
        int terminated = 0;
        for (int pe = 0; pe < worldSize; pe++) {
            terminated += runtime.hasTerminated(pe) ? 1 : 0;
        }
        if (terminated == lookedAt) {
            return null;
        }
        lookedAt = terminated;
        lost = needed(commit.state());
        return lost == NO_PE ? null : refusal.lost(lost);
    }

    /// Returns a failed PE that the team needs, or −1: the PE that has decided; a participant; or any PE, if fewer
    /// PEs live than the team has members.
    private int needed(SlotState state) {
        if (!state.isOpen()) {
            return runtime.hasTerminated(state.decider()) ? state.decider() : NO_PE;
        }
        formationSlot.copyEntries();
        for (int other = 0; other < size; other++) {
            int pe = FormationSlot.pe(formationSlot.claim(other));
            if (pe >= 0 && runtime.hasTerminated(pe)) {
                return pe;
            }
        }
        int first = NO_PE;
        int left = worldSize;
        for (int pe = worldSize - 1; pe >= 0; pe--) {
            if (runtime.hasTerminated(pe)) {
                first = pe;
                left--;
            }
        }
        return left < size ? first : NO_PE;
    }

    private FormedMembers verdict() {
        if (commit.state().phase() == Phase.FAILED) {
            RuntimeException why = refused();
            area.release(lines, SyncLines.count(size));
            throw why;
        }
        formationSlot.copyEntries();
        leave();
        FormedMembers formedMembers = new FormedMembers(formationSlot, size);
        String misfit = formedMembers.misfit(worldSize);
        if (misfit != null) {
            area.release(lines, SyncLines.count(size));
            throw new CollectiveMismatchException(refusal.messagePrefix() + misfit + "; no team is formed");
        }
        return formedMembers;
    }

    /// Leaves, and returns the exception for a participant that gets no team.
    private RuntimeException refused() {
        RuntimeException why =
                commit.state().phase() == Phase.FORMED ? refusal.oneTooMany(size, member) : refusal.reason(shortage);
        leave();
        return why;
    }

    private void leave() {
        SlotState state = commit.state();
        while (!formationSlot.change(state, state.left())) {
            state = commit.state();
        }
    }
}
