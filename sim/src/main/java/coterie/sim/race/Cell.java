// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import org.jspecify.annotations.Nullable;

/// What is known of some bytes of a heap. Immutable, and shared by all bytes of which the same is known.
final class Cell extends Shadow.Knowledge {
    static final Cell EMPTY = new Cell(null, null, null);

    /// Those that no later one is behind, from their start on; more than one where these
    /// agree with each other, such as atomics.
    private final @Nullable Chain<Write> writes;

    /// Those since then, in the same way.
    private final @Nullable Chain<Read> reads;

    /// What whoever observes the bytes learns by that, of what has taken effect; null if it was the heap's own PE.
    final @Nullable Release landed;

    private Cell(@Nullable Chain<Write> writes, @Nullable Chain<Read> reads, @Nullable Release landed) {
        this.writes = writes;
        this.reads = reads;
        this.landed = landed;
    }

    /// A write on which whoever knows this past can't rely, or null.
    @Nullable
    Write unknownTo(Past past) {
        for (Chain<Write> each = writes; each != null; each = each.rest) {
            if (!each.first.isKnown(past)) {
                return each.first;
            }
        }
        return null;
    }

    /// A write with which an atomic races by what it fetches, or null.
    @Nullable
    Write clashWithFetch(Write atomic) {
        for (Chain<Write> each = writes; each != null; each = each.rest) {
            if (!each.first.deed.atomic && !each.first.isBefore(atomic)) {
                return each.first;
            }
        }
        return null;
    }

    /// An access with which a write races, or null.
    @Nullable
    Access clashWith(Write write) {
        for (Chain<Write> each = writes; each != null; each = each.rest) {
            if (!each.first.isBefore(write) && !each.first.agreesWith(write)) {
                return each.first;
            }
        }
        for (Chain<Read> each = reads; each != null; each = each.rest) {
            if (!each.first.isBefore(write.past) && !(each.first.deed.atomic && write.deed.atomic)) {
                return each.first;
            }
        }
        return null;
    }

    /// With a read more, which makes earlier ones of its PE unnecessary that race with no more than it does.
    Cell with(Read read) {
        Chain<Read> kept = null;
        for (Chain<Read> each = reads; each != null; each = each.rest) {
            Read earlier = each.first;
            if (earlier.pe != read.pe || !earlier.isDone() || (read.deed.atomic && !earlier.deed.atomic)) {
                kept = new Chain<>(earlier, kept);
            }
        }
        return new Cell(writes, new Chain<>(read, kept), landed);
    }

    /// With a write more, which makes all accesses unnecessary that it is behind.
    ///
    /// @param tells what whoever observes the bytes learns now
    Cell with(Write write, @Nullable Release tells) {
        Chain<Write> otherWrites = null;
        for (Chain<Write> each = writes; each != null; each = each.rest) {
            Write earlier = each.first;
            if (!earlier.isBefore(write) && !(earlier.landed && earlier.isSucceededBy(write))) {
                otherWrites = new Chain<>(earlier, otherWrites);
            }
        }
        Chain<Read> otherReads = null;
        for (Chain<Read> each = reads; each != null; each = each.rest) {
            if (!each.first.isBefore(write.past)) {
                otherReads = new Chain<>(each.first, otherReads);
            }
        }
        return new Cell(new Chain<>(write, otherWrites), otherReads, tells);
    }

    /// A write of these bytes has taken effect. It goes where a later one of its channel is under way that agrees
    /// with it: that one stands for both now.
    ///
    /// @param tells what whoever observes the bytes learns now
    Cell landed(Write write, Release tells) {
        Chain<Write> others = null;
        boolean stands = true;
        for (Chain<Write> each = writes; each != null; each = each.rest) {
            stands &= each.first.landed || !write.isSucceededBy(each.first);
            if (each.first != write) {
                others = new Chain<>(each.first, others);
            }
        }
        return new Cell(stands ? writes : others, reads, tells);
    }

    /// A PE has observed these bytes. What has landed there it knows now; of a long put no more than the bytes.
    ///
    /// @param past what it knows
    /// @param at what its clock shows
    /// @param bytes what it has observed
    Cell observed(int pe, Past past, long at, Span bytes) {
        Chain<Write> known = null;
        boolean split = false;
        for (Chain<Write> each = writes; each != null; each = each.rest) {
            Write write = each.first;
            if (write.landed && !write.isKnown(past)) {
                if (!write.isAllIn(bytes)) {
                    write = write.piece(bytes);
                    split = true;
                }
                write.knownTo(pe, at);
            }
            known = new Chain<>(write, known);
        }
        return split ? new Cell(known, reads, landed) : this;
    }
}
