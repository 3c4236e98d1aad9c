// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

/// The word of a slot that holds the decision. PEs change it by compare-and-swap only: a change meant for one team
/// never reaches another, and exactly one PE decides.
///
/// ```
///  bit 63       36        34           17           0
///      │ serial │ phase   │ present    │ ready      │     after the decision: the PE that decided
///
///  OPEN ─ the last member is ready ─► FORMED
///     └─── an error or a timeout ───► FAILED
/// ```
///
/// @param word serial of the id; participants that have entered and not left; entries that are ready
record SlotState(long word) {
    /// The phases of a formation.
    enum Phase {
        OPEN,
        FORMED,
        FAILED
    }

    private static final int SERIAL_SHIFT = 36;
    private static final int PHASE_SHIFT = 34;
    private static final int PRESENT_SHIFT = 17;
    private static final long COUNT = (1 << PRESENT_SHIFT) - 1;

    static SlotState open(int serial) {
        return new SlotState((long) serial << SERIAL_SHIFT);
    }

    int serial() {
        return (int) (word >>> SERIAL_SHIFT);
    }

    Phase phase() {
        return switch ((int) (word >>> PHASE_SHIFT) & 3) {
            case 0 -> Phase.OPEN;
            case 1 -> Phase.FORMED;
            default -> Phase.FAILED;
        };
    }

    boolean isOpen() {
        return phase() == Phase.OPEN;
    }

    int present() {
        return (int) (word >>> PRESENT_SHIFT & COUNT);
    }

    /// Returns the number of ready entries; the slot is open.
    int ready() {
        assert isOpen();
        return (int) (word & COUNT);
    }

    /// Returns the PE that has decided; the slot is not open.
    int decider() {
        assert !isOpen();
        return (int) (word & COUNT);
    }

    SlotState entered() {
        return new SlotState(word + (1L << PRESENT_SHIFT));
    }

    SlotState left() {
        return new SlotState(word - (1L << PRESENT_SHIFT));
    }

    /// Returns the state with one more ready entry.
    SlotState counted() {
        return new SlotState(word + 1);
    }

    SlotState decided(Phase phase, int decider) {
        return new SlotState((word & ~COUNT) | (long) phase.ordinal() << PHASE_SHIFT | decider);
    }

    /// Returns whether the root can reuse the slot: its team is decided, and all participants have left.
    boolean isUsedUp() {
        return !isOpen() && present() == 0;
    }
}
