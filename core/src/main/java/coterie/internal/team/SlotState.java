// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

/// The word of a slot by which everything is decided. It changes by compare-and-swap alone, so that each change is
/// one of the very team that it is meant for, and exactly one PE decides.
///
/// ```
///  bit 63       36        34           17           0
///      │ serial │ phase   │ present    │ ready      │     once decided: the PE that did
///
///  OPEN ─ the last one is ready ─► FORMED
///     └─── anything goes wrong ──► FAILED
/// ```
///
/// @param word serial of the id; participants that have entered and not left; entries that are ready
record SlotState(long word) {
    /// How far the team is.
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

    /// Entries that are ready; of an open slot.
    int ready() {
        assert isOpen();
        return (int) (word & COUNT);
    }

    /// The PE that has decided; of a slot that is not open.
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

    /// With one more entry that is ready.
    SlotState counted() {
        return new SlotState(word + 1);
    }

    SlotState decided(Phase phase, int decider) {
        return new SlotState((word & ~COUNT) | (long) phase.ordinal() << PHASE_SHIFT | decider);
    }

    /// Whether the slot can serve another team: this one is decided, and nobody looks at it any more.
    boolean isUsedUp() {
        return !isOpen() && present() == 0;
    }
}
