// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import org.jspecify.annotations.Nullable;

/// What the detector knows of some bytes of a heap. Immutable; all bytes with the same knowledge share a cell.
final class ShadowCell extends ShadowMemory.Knowledge {
    static final ShadowCell EMPTY = new ShadowCell(null, null, null);

    /// Writes that no later write follows, from their start on. Several, if they do not race with each other, as
    /// atomics do not.
    private final @Nullable ConsList<WriteAccess> writes;

    /// Reads since these writes that no later access follows.
    private final @Nullable ConsList<ReadAccess> reads;

    /// What a PE acquires when it observes the bytes as they have landed; null if the heap's own PE stored them.
    final @Nullable Release landed;

    private ShadowCell(
            @Nullable ConsList<WriteAccess> writes, @Nullable ConsList<ReadAccess> reads, @Nullable Release landed) {
        this.writes = writes;
        this.reads = reads;
        this.landed = landed;
    }

    /// Returns a write on which a PE with this vector clock can't rely, or null.
    @Nullable
    WriteAccess unknownTo(VectorClock clock) {
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            if (!each.first.isKnown(clock)) {
                return each.first;
            }
        }
        return null;
    }

    /// Returns a write with which the fetch of an atomic races, or null.
    @Nullable
    WriteAccess clashWithFetch(WriteAccess atomic) {
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            if (!each.first.kind.atomic && !each.first.isBefore(atomic)) {
                return each.first;
            }
        }
        return null;
    }

    /// Returns an access with which a write races, or null.
    @Nullable
    Access clashWith(WriteAccess write) {
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            if (!each.first.isBefore(write) && !each.first.agreesWith(write)) {
                return each.first;
            }
        }
        for (ConsList<ReadAccess> each = reads; each != null; each = each.rest) {
            if (!each.first.isBefore(write.clock) && !(each.first.kind.atomic && write.kind.atomic)) {
                return each.first;
            }
        }
        return null;
    }

    /// Returns this cell with a read added. The read replaces earlier reads of its PE that race with no other
    /// accesses than it does.
    ShadowCell with(ReadAccess read) {
        ConsList<ReadAccess> kept = null;
        for (ConsList<ReadAccess> each = reads; each != null; each = each.rest) {
            ReadAccess earlier = each.first;
            if (earlier.pe != read.pe || !earlier.isDone() || (read.kind.atomic && !earlier.kind.atomic)) {
                kept = new ConsList<>(earlier, kept);
            }
        }
        return new ShadowCell(writes, new ConsList<>(read, kept), landed);
    }

    /// Returns this cell with a write added. The write replaces all accesses that it follows.
    ///
    /// @param release what a PE acquires now when it observes the bytes
    ShadowCell with(WriteAccess write, @Nullable Release release) {
        ConsList<WriteAccess> otherWrites = null;
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            WriteAccess earlier = each.first;
            if (!earlier.isBefore(write) && !(earlier.landed && earlier.isSucceededBy(write))) {
                otherWrites = new ConsList<>(earlier, otherWrites);
            }
        }
        ConsList<ReadAccess> otherReads = null;
        for (ConsList<ReadAccess> each = reads; each != null; each = each.rest) {
            if (!each.first.isBefore(write.clock)) {
                otherReads = new ConsList<>(each.first, otherReads);
            }
        }
        return new ShadowCell(new ConsList<>(write, otherWrites), otherReads, release);
    }

    /// Returns this cell after a write of these bytes has taken effect. The write is removed if a later one of its
    /// channel is in flight that does not race with it: the later one then represents both.
    ///
    /// @param release what a PE acquires now when it observes the bytes
    ShadowCell landed(WriteAccess write, Release release) {
        ConsList<WriteAccess> others = null;
        boolean remains = true;
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            remains &= each.first.landed || !write.isSucceededBy(each.first);
            if (each.first != write) {
                others = new ConsList<>(each.first, others);
            }
        }
        return new ShadowCell(remains ? writes : others, reads, release);
    }

    /// Returns this cell after a PE has observed these bytes. The PE then knows the writes that have landed; of a
    /// long put it knows these bytes only.
    ///
    /// @param clock what the PE knows
    /// @param at the PE's time
    /// @param bytes the bytes that it has observed
    ShadowCell observed(int pe, VectorClock clock, long at, ByteInterval bytes) {
        ConsList<WriteAccess> known = null;
        boolean split = false;
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            WriteAccess write = each.first;
            if (write.landed && !write.isKnown(clock)) {
                if (!write.isAllIn(bytes)) {
                    write = write.piece(bytes);
                    split = true;
                }
                write.knownTo(pe, at);
            }
            known = new ConsList<>(write, known);
        }
        return split ? new ShadowCell(known, reads, landed) : this;
    }
}
