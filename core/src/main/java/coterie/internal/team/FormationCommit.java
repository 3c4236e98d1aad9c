// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.team.SlotState.Phase;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;

/// Whether a team is formed, as one participant sees and brings about: by the state of the slot one of them
/// decides for all, and then sets the flags of the others.
///
/// A decision for the team flags all entries. One against it closes them, and flags those that it has found ready;
/// whoever is not ready yet finds its entry closed, and knows that no flag will come. So everybody gives its lines
/// back when nobody will write to them any more.
final class FormationCommit {
    /// Values of a flag.
    static final int FORMED = 1;

    static final int FAILED = 2;

    private final FormationSlot formationSlot;
    private final SlotId id;
    private final int me;
    private final WaitingRoom room;
    private final FormationErrors refusal;

    /// The entry that is mine, or −1.
    private int mine = -1;

    private boolean taken;

    FormationCommit(FormationSlot formationSlot, SlotId id, int me, WaitingRoom room, FormationErrors refusal) {
        this.formationSlot = formationSlot;
        this.id = id;
        this.me = me;
        this.room = room;
        this.refusal = refusal;
    }

    /// The entry is mine: I need no flag there.
    void sparing(int member) {
        mine = member;
    }

    /// Whether it was I who decided.
    boolean isMine() {
        return taken;
    }

    /// The slot's state, which is this team's as long as I am inside.
    SlotState state() {
        SlotState state = formationSlot.state();
        if (state.serial() != id.serial()) {
            throw new IllegalStateException(refusal.messagePrefix() + "the world was closed");
        }
        return state;
    }

    /// Decides for the team, which is complete, unless the state has changed; returns whether it has not.
    boolean form(SlotState state, int size) {
        if (!formationSlot.change(state, state.decided(Phase.FORMED, me))) {
            return false;
        }
        taken = true;
        room.step(OperationKind.FORM, 4);
        formationSlot.copyEntries();
        for (int member = 0; member < size; member++) {
            flag(member, FORMED);
        }
        formationSlot.awaitAll();
        return true;
    }

    /// Decides against the team, unless it is decided already. Of several reasons the first stands for all.
    ///
    /// @param number that it is about; see [FormationReason]
    void giveUp(FormationReason reason, int number) {
        formationSlot.swap(FormationSlot.REASON, 0, reason.word(number, me));
        SlotState state = state();
        while (state.isOpen()) {
            if (formationSlot.change(state, state.decided(Phase.FAILED, me))) {
                taken = true;
                room.step(OperationKind.FORM, 4);
                closeEntries();
                return;
            }
            state = state();
        }
    }

    private void closeEntries() {
        int size = (int) formationSlot.load(FormationSlot.SIZE);
        boolean[] ready = new boolean[size];
        for (int member = 0; member < size; member++) {
            ready[member] =
                    (formationSlot.mark(FormationSlot.entry(member), FormationSlot.CLOSED) & FormationSlot.READY) != 0;
        }
        formationSlot.copyEntries();
        for (int member = 0; member < size; member++) {
            if (ready[member]) {
                flag(member, FAILED);
            }
        }
        formationSlot.awaitAll();
    }

    private void flag(int member, int flag) {
        if (member != mine) {
            room.counters().messages++;
            formationSlot.flag(member, flag);
        }
    }
}
