// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.team.SlotState.Phase;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;

/// The decision to form a team or to abandon it, as one participant makes or reads it. One participant decides for
/// all by the state of the slot, and then sets the flags of the others.
///
/// The participant that forms the team flags all entries. The participant that abandons it closes all entries, and
/// flags those that were ready. A participant that was not ready finds its entry closed, so that no PE will set
/// its flag. So each participant releases its lines when no PE can write to them any more.
final class FormationCommit {
    /// Values of a flag.
    static final int FORMED = 1;

    static final int FAILED = 2;

    private final FormationSlot formationSlot;
    private final SlotId id;
    private final int me;
    private final PeRuntime runtime;
    private final FormationErrors refusal;

    /// The entry of this participant, or −1.
    private int mine = -1;

    private boolean taken;

    FormationCommit(FormationSlot formationSlot, SlotId id, int me, PeRuntime runtime, FormationErrors refusal) {
        this.formationSlot = formationSlot;
        this.id = id;
        this.me = me;
        this.runtime = runtime;
        this.refusal = refusal;
    }

    /// Sets the entry of this participant, which needs no flag from itself.
    void sparing(int member) {
        mine = member;
    }

    /// Returns whether this participant has decided.
    boolean isMine() {
        return taken;
    }

    /// Returns the slot's state; no other team can use the slot before this participant leaves.
    SlotState state() {
        SlotState state = formationSlot.state();
        if (state.serial() != id.serial()) {
            throw new IllegalStateException(refusal.messagePrefix() + "the world was closed");
        }
        return state;
    }

    /// Forms the team, which is complete, unless the state has changed; returns whether this call formed it.
    boolean form(SlotState state, int size) {
        if (!formationSlot.change(state, state.decided(Phase.FORMED, me))) {
            return false;
        }
        taken = true;
        runtime.step(OperationKind.FORM, 4);
        formationSlot.copyEntries();
        for (int member = 0; member < size; member++) {
            flag(member, FORMED);
        }
        formationSlot.awaitAll();
        return true;
    }

    /// Abandons the team, unless it is decided already. If participants have different reasons, all report the
    /// first.
    ///
    /// @param number the detail of the reason; see [FormationReason]
    void giveUp(FormationReason reason, int number) {
        formationSlot.swap(FormationSlot.REASON, 0, reason.word(number, me));
        SlotState state = state();
        while (state.isOpen()) {
            if (formationSlot.change(state, state.decided(Phase.FAILED, me))) {
                taken = true;
                runtime.step(OperationKind.FORM, 4);
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
            runtime.counters().messages++;
            formationSlot.flag(member, flag);
        }
    }
}
