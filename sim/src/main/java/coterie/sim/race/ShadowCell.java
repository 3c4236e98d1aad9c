// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import org.jspecify.annotations.Nullable;

/// What is known of some bytes of a heap. Immutable, and shared by all bytes of which the same is known.
final class ShadowCell extends ShadowMemory.Knowledge {
    static final ShadowCell EMPTY = new ShadowCell(null, null, null);

    /// Those that no later one is behind, from their start on; more than one where these
    /// agree with each other, such as atomics.
    private final @Nullable ConsList<WriteAccess> writes;

    /// Those since then, in the same way.
    private final @Nullable ConsList<ReadAccess> reads;

    /// What whoever observes the bytes learns by that, of what has taken effect; null if it was the heap's own PE.
    final @Nullable Release landed;

    private ShadowCell(
            @Nullable ConsList<WriteAccess> writes, @Nullable ConsList<ReadAccess> reads, @Nullable Release landed) {
        this.writes = writes;
        this.reads = reads;
        this.landed = landed;
    }

    /// A write on which whoever knows this past can't rely, or null.
    @Nullable
    WriteAccess unknownTo(VectorClock clock) {
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            if (!each.first.isKnown(clock)) {
                return each.first;
            }
        }
        return null;
    }

    /// A write with which an atomic races by what it fetches, or null.
    @Nullable
    WriteAccess clashWithFetch(WriteAccess atomic) {
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            if (!each.first.kind.atomic && !each.first.isBefore(atomic)) {
                return each.first;
            }
        }
        return null;
    }

    /// An access with which a write races, or null.
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

    /// With a read more, which makes earlier ones of its PE unnecessary that race with no more than it does.
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

    /// With a write more, which makes all accesses unnecessary that it is behind.
    ///
    /// @param tells what whoever observes the bytes learns now
    ShadowCell with(WriteAccess write, @Nullable Release tells) {
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
        return new ShadowCell(new ConsList<>(write, otherWrites), otherReads, tells);
    }

    /// A write of these bytes has taken effect. It goes where a later one of its channel is under way that agrees
    /// with it: that one stands for both now.
    ///
    /// @param tells what whoever observes the bytes learns now
    ShadowCell landed(WriteAccess write, Release tells) {
        ConsList<WriteAccess> others = null;
        boolean stands = true;
        for (ConsList<WriteAccess> each = writes; each != null; each = each.rest) {
            stands &= each.first.landed || !write.isSucceededBy(each.first);
            if (each.first != write) {
                others = new ConsList<>(each.first, others);
            }
        }
        return new ShadowCell(stands ? writes : others, reads, tells);
    }

    /// A PE has observed these bytes. What has landed there it knows now; of a long put no more than the bytes.
    ///
    /// @param clock what it knows
    /// @param at what its clock shows
    /// @param bytes what it has observed
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
