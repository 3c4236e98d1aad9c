// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.internal.team.SlotState.Phase;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// One participant's way into a team that is formed by an id:
///
/// ```
///  step 0  enter            unless it is decided already
///       1    │ claim         the team's size, and then my number: the first that comes has it
///       2    │ prepare       take lines, say where they are
///       3    │ count         the last one that is ready decides for the team; step 4 before it sets the flags
///       5    ▼ await         a flag in my lines; after my time, or where PEs have failed, decide against it
///          leave            with the team, or with the reason why there is none
/// ```
///
/// **Failures.** Where a PE has failed that had come, or too few are left, the team can't be complete. Where the
/// one that has decided fails before it has set all flags, the state says what they would have said. A participant
/// that fails takes nothing with it but the slot, which is never used again.
final class Formation implements FailureCheck {
    private static final OperationKind KIND = OperationKind.FORM;
    private static final int NOBODY = -1;

    private final FormationSlot formationSlot;
    private final SlotId id;
    private final int me;
    private final int worldSize;
    private final int size;
    private final int member;
    private final SyncArea area;
    private final WaitingRoom room;
    private final FormationErrors refusal;
    private final FormationCommit commit;

    /// Offset of my lines.
    private long lines;

    /// Why I had no memory for lines, if so.
    private @Nullable String shortage;

    /// How many PEs were over when [#check] last looked at the slot.
    private int lookedAt;

    /// Which of them it has found to be needed.
    private int lost = NOBODY;

    /// @param worldSize PEs of the world
    Formation(
            FormationSlot formationSlot,
            SlotId id,
            int me,
            int worldSize,
            int size,
            int member,
            SyncArea area,
            WaitingRoom room) {
        this.formationSlot = formationSlot;
        this.id = id;
        this.me = me;
        this.worldSize = worldSize;
        this.size = size;
        this.member = member;
        this.area = area;
        this.room = room;
        this.refusal = new FormationErrors(formationSlot, id, me, worldSize, room);
        this.commit = new FormationCommit(formationSlot, id, me, room, refusal);
    }

    /// Comes, waits for the others, and returns the team.
    ///
    /// @param contexts of its config
    /// @throws RuntimeException on all participants alike, if it is not formed; or on me alone, if I am too late
    FormedMembers run(int contexts, long timeoutNanos) {
        long start = room.nanoTime();
        room.counters().collectives++;
        room.step(KIND, 0);
        enter();
        room.step(KIND, 1);
        if (!claimSize() || !claimNumber()) {
            throw refused();
        }
        room.step(KIND, 2);
        if (!prepare(contexts)) {
            throw refused();
        }
        room.step(KIND, 3);
        count();
        room.step(KIND, 5);
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

    /// Makes my entry ready, unless it is closed or there is no memory; returns whether it is.
    private boolean prepare(int contexts) {
        try {
            lines = area.allocate(size);
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
        area.release(lines, size);
        return false;
    }

    /// Counts my entry, and decides if it is the last one.
    private void count() {
        SlotState state = commit.state();
        boolean counted = false;
        while (state.isOpen() && !counted) {
            if (state.ready() + 1 < size) {
                counted = formationSlot.change(state, state.counted());
            } else {
                int failed = room.hasFailures() ? needed(state) : NOBODY;
                if (failed == NOBODY) {
                    counted = commit.form(state, size);
                } else {
                    commit.giveUp(FormationReason.LOST, failed);
                }
            }
            state = counted ? state : commit.state();
        }
    }

    /// Waits until it is decided, and no flag can come any more.
    private void await(long timeoutNanos, long start) {
        long left = timeoutNanos == WaitingRoom.FOREVER
                ? timeoutNanos
                : Math.max(1, timeoutNanos - (room.nanoTime() - start));
        while (!commit.isMine()) {
            lookedAt = 0;
            try {
                int flags = FormationCommit.FORMED | FormationCommit.FAILED;
                if (room.awaitBits(area.address(FormationSlot.flag(lines, member)), flags, KIND, NOBODY, left, this)
                        != 0) {
                    observed(FormationSlot.flag(lines, member));
                    return;
                }
                commit.giveUp(FormationReason.TIME, member);
            } catch (PeFailedException e) {
                SlotState state = commit.state();
                if (!state.isOpen() && room.hasTerminated(state.decider())) {
                    return;
                }
                commit.giveUp(FormationReason.LOST, lost);
            }
            left = WaitingRoom.FOREVER;
        }
    }

    /// Tells, if anybody wants to know, that my flag is set.
    private void observed(long flag) {
        AccessObserver observer = room.observer();
        if (observer != null) {
            observer.observed(Region.SYNC, flag, Long.BYTES);
        }
    }

    /// A PE that has failed and is needed, if so.
    @Override
    public @Nullable PeFailedException check() {
        int over = 0;
        for (int pe = 0; pe < worldSize; pe++) {
            over += room.hasTerminated(pe) ? 1 : 0;
        }
        if (over == lookedAt) {
            return null;
        }
        lookedAt = over;
        lost = needed(commit.state());
        return lost == NOBODY ? null : refusal.lost(lost);
    }

    /// A PE that has failed and is needed, or −1: the one that has decided; one that had come; or any, if too few
    /// are left.
    private int needed(SlotState state) {
        if (!state.isOpen()) {
            return room.hasTerminated(state.decider()) ? state.decider() : NOBODY;
        }
        formationSlot.copyEntries();
        for (int other = 0; other < size; other++) {
            int pe = FormationSlot.pe(formationSlot.claim(other));
            if (pe >= 0 && room.hasTerminated(pe)) {
                return pe;
            }
        }
        int first = NOBODY;
        int left = worldSize;
        for (int pe = worldSize - 1; pe >= 0; pe--) {
            if (room.hasTerminated(pe)) {
                first = pe;
                left--;
            }
        }
        return left < size ? first : NOBODY;
    }

    private FormedMembers verdict() {
        if (commit.state().phase() == Phase.FAILED) {
            RuntimeException why = refused();
            area.release(lines, size);
            throw why;
        }
        formationSlot.copyEntries();
        leave();
        FormedMembers formedMembers = new FormedMembers(formationSlot, size);
        String misfit = formedMembers.misfit(worldSize);
        if (misfit != null) {
            area.release(lines, size);
            throw new CollectiveMismatchException(refusal.messagePrefix() + misfit + "; no team is formed");
        }
        return formedMembers;
    }

    /// Leaves, with the reason why there is no team for me.
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
