// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// Signals, counters and memory that a library wants of a communicator beside those of its other users.
///
/// Two objects are two requirements, also if they ask for the same; [DeviceCommunicator#resources] finds what an
/// object has got.
/// @counterpart `ncclDevResourceRequirements`
public final class ResourceRequirement {
    private final long bytes;
    private final long alignment;
    private final int signals;
    private final int counters;

    /// of an all-to-all, or 0
    private final int slots;

    private ResourceRequirement(long bytes, long alignment, int signals, int counters, int slots) {
        if (bytes < 0 || signals < 0 || counters < 0 || alignment < 1 || Long.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("ResourceRequirement: bytes " + bytes + ", alignment " + alignment
                    + ", signals " + signals + ", counters " + counters
                    + "; allowed are 0 and more, and a power of two as the alignment");
        }
        this.bytes = bytes;
        this.alignment = alignment;
        this.signals = signals;
        this.counters = counters;
        this.slots = slots;
    }

    /// Asks for symmetric memory, signals and counters.
    ///
    /// @param bytes in [DeviceCommunicator#resourceWindow], 0 or more
    /// @param alignment a power of two
    /// @param signals 0 or more, with ids after the plain ones
    /// @param counters 0 or more, with ids after the plain ones
    public static ResourceRequirement of(long bytes, long alignment, int signals, int counters) {
        return new ResourceRequirement(bytes, alignment, signals, counters, 0);
    }

    /// Asks for barriers of a team: a signal for each member of each.
    /// @counterpart `ncclGinBarrierCreateRequirement`, `ncclLsaBarrierCreateRequirement` with the size of the LSA
    ///     team
    /// @param count barriers, 0 or more
    /// @param teamSize members of the team, at least 1
    public static ResourceRequirement barriers(int count, int teamSize) {
        if (count < 0 || teamSize < 1) {
            throw new IllegalArgumentException("ResourceRequirement.barriers: count " + count + ", team size "
                    + teamSize + "; allowed are 0 ≤ count, 1 ≤ team size");
        }
        return new ResourceRequirement(0, 1, Math.multiplyExact(count, teamSize), 0, 0);
    }

    /// Asks for memory of [AllToAllSession]s.
    /// @counterpart `ncclLLA2ACreateRequirement`, `ncclLLA2ACalcSlots`, `lsaLLA2ABlockCount`, `lsaLLA2ASlotCount`;
    ///     a slot has 8 bytes
    /// @param blocks at least 1: how many sessions a rank has at a time
    /// @param slots at least 1: how many values a rank gets in one epoch of a session
    public static ResourceRequirement allToAll(int blocks, int slots) {
        if (blocks < 1 || slots < 1) {
            throw new IllegalArgumentException(
                    "ResourceRequirement.allToAll: blocks " + blocks + ", slots " + slots + "; allowed are 1 and more");
        }
        long bytes = Math.multiplyExact(blocks, AllToAllSlots.words(slots) * Long.BYTES);
        return new ResourceRequirement(bytes, AllToAllSlots.ALIGNMENT, 0, 0, slots);
    }

    long bytes() {
        return bytes;
    }

    long alignment() {
        return alignment;
    }

    int signals() {
        return signals;
    }

    int counters() {
        return counters;
    }

    int slots() {
        return slots;
    }

    @Override
    public String toString() {
        return "resources {bytes " + bytes + ", alignment " + alignment + ", signals " + signals + ", counters "
                + counters + "}";
    }
}
