// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// A write to a PE's heap, or an atomic operation on a word that may turn out to be one. Writes to words of the
/// sync region are only a means to carry order.
///
/// A PE may rely on a write if it knows it:
///
/// | PE | knows the write from when on |
/// |---|---|
/// | the writer | a later quiet on its channel, for its target, is complete |
/// | a PE that has observed a word that the writer sent after a fence after the write | that observation |
/// | a PE that has observed the write's signal or, if it is a word, the word itself | that observation |
/// | a PE that has stored into its own heap | at once |
/// | a PE that has acquired from one of these | the time at which that one released |
final class WriteAccess extends Access {
    /// What the writer knew when it began.
    final VectorClock clock;

    /// Null if the PE has stored into its own heap.
    final @Nullable ChannelPosition position;

    /// Of a put: a number that is equal for equal bytes.
    final long content;

    /// Of a signal: the write of its payload.
    final @Nullable WriteAccess payload;

    /// The write of which this is a piece, or null. A PE that knows the whole knows the piece.
    private final @Nullable WriteAccess whole;

    private @Nullable Knower knowers;

    /// Whether the write has taken effect.
    boolean landed;

    /// The releases that it found at its word, if it fetches the word.
    @Nullable
    ConsList<Release> found;

    /// The read that it counts as, if it may only read.
    @Nullable
    ReadAccess read;

    private record Knower(int pe, long at, @Nullable Knower next) {}

    WriteAccess(
            int pe,
            AccessKind kind,
            ByteInterval interval,
            @Nullable StackFrame callSite,
            VectorClock clock,
            @Nullable ChannelPosition position,
            long content,
            @Nullable WriteAccess payload) {
        super(pe, kind, interval, callSite);
        this.clock = clock;
        this.position = position;
        this.content = content;
        this.payload = payload;
        this.whole = null;
    }

    private WriteAccess(WriteAccess whole, ByteInterval interval) {
        super(whole.pe, whole.kind, interval, whole.callSite);
        this.clock = whole.clock;
        this.position = whole.position;
        this.content = whole.content;
        this.payload = null;
        this.whole = whole;
        this.landed = whole.landed;
    }

    /// Returns a piece of this write that PEs can know separately.
    WriteAccess piece(ByteInterval bytes) {
        return new WriteAccess(this, interval.common(bytes, bytes.offset()));
    }

    /// Returns whether a PE that sees these bytes sees the whole write: words arrive undivided.
    boolean isAllIn(ByteInterval bytes) {
        return kind != AccessKind.PUT || bytes.contains(interval);
    }

    /// The write has reached its word, or a part of it, which has this release.
    void find(@Nullable Release release) {
        if (release != null && (found == null || found.first != release)) {
            found = new ConsList<>(release, found);
        }
    }

    /// The PE knows the write from time `at` of its clock on. Later calls for the same PE have no effect: the
    /// first time is the earliest.
    void knownTo(int other, long at) {
        for (Knower knower = knowers; knower != null; knower = knower.next()) {
            if (knower.pe() == other) {
                return;
            }
        }
        knowers = new Knower(other, at, knowers);
    }

    /// Returns whether a PE with this vector clock knows that the write has taken effect.
    boolean isKnown(VectorClock to) {
        if (position == null) {
            return to.reaches(pe, clock.of(pe));
        }
        for (Knower knower = knowers; knower != null; knower = knower.next()) {
            if (to.reaches(knower.pe(), knower.at())) {
                return true;
            }
        }
        return (whole != null && whole.isKnown(to)) || position.history().isKnown(position.number(), to);
    }

    /// Returns whether `other` takes effect after this write in every order that the network may choose.
    boolean isBefore(WriteAccess other) {
        return isKnown(other.clock) || (sharesQueue(other) && number() <= other.fencedUpTo());
    }

    /// Returns whether `other`, of the same PE and channel, represents both once this write has landed.
    boolean isSucceededBy(WriteAccess other) {
        return sharesQueue(other) && number() < other.number() && agreesWith(other);
    }

    /// Returns whether the order of the two writes makes no difference.
    boolean agreesWith(WriteAccess other) {
        return (kind.atomic && other.kind.atomic)
                || (kind.isPut() && kind == other.kind && interval.equals(other.interval) && content == other.content);
    }

    private boolean sharesQueue(WriteAccess other) {
        return position != null && other.position != null && position.history() == other.position.history();
    }

    private long number() {
        return position == null ? 0 : position.number();
    }

    private long fencedUpTo() {
        return position == null ? 0 : position.fencedUpTo();
    }
}
