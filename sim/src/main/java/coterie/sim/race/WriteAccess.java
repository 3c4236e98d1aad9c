// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// A write to somebody's heap, or the indivisible operation on a word that may become one; or a word of the
/// runtime's own, which has order to carry and nothing else.
///
/// Who may rely on it:
///
/// | knows it | from when on |
/// |---|---|
/// | its PE | a quiet behind it, on its channel and for its target, is complete |
/// | who has observed a word that came behind a fence behind it, on its channel | then |
/// | who has observed its signal, or, if it is a word, itself | then |
/// | the PE in whose own heap it has stored | at once |
/// | who has learnt of one of them | what that one knew when it told |
final class WriteAccess extends Access {
    /// What its PE knew when it began.
    final VectorClock clock;

    /// Null where the PE has stored into its own heap.
    final @Nullable ChannelPosition position;

    /// Of a put: the same where the bytes are the same.
    final long content;

    /// Of a signal: the bytes that come with it.
    final @Nullable WriteAccess payload;

    /// What it is a piece of, or null: who knows that, knows this.
    private final @Nullable WriteAccess whole;

    private @Nullable Knower knowers;

    /// Whether it has taken effect.
    boolean landed;

    /// What it has found at its word, if it fetches that.
    @Nullable
    ConsList<Release> found;

    /// What it reads, if it may do no more than that.
    @Nullable
    ReadAccess read;

    private record Knower(int pe, long at, @Nullable Knower next) {}

    WriteAccess(
            int pe,
            AccessKind kind,
            ByteInterval interval,
            @Nullable StackFrame place,
            VectorClock clock,
            @Nullable ChannelPosition position,
            long content,
            @Nullable WriteAccess payload) {
        super(pe, kind, interval, place);
        this.clock = clock;
        this.position = position;
        this.content = content;
        this.payload = payload;
        this.whole = null;
    }

    private WriteAccess(WriteAccess whole, ByteInterval interval) {
        super(whole.pe, whole.kind, interval, whole.place);
        this.clock = whole.clock;
        this.position = whole.position;
        this.content = whole.content;
        this.payload = null;
        this.whole = whole;
        this.landed = whole.landed;
    }

    /// Some bytes of it, of which may be known that they have come.
    WriteAccess piece(ByteInterval bytes) {
        return new WriteAccess(this, interval.common(bytes, bytes.offset()));
    }

    /// Whether who sees these bytes sees all of it: words come in one.
    boolean isAllIn(ByteInterval bytes) {
        return kind != AccessKind.PUT || bytes.contains(interval);
    }

    /// It has come to its word, or to a part of it, and found this there.
    void find(@Nullable Release release) {
        if (release != null && (found == null || found.first != release)) {
            found = new ConsList<>(release, found);
        }
    }

    /// A PE knows of it from when its clock shows `at`; earlier is better.
    void knownTo(int other, long at) {
        for (Knower knower = knowers; knower != null; knower = knower.next()) {
            if (knower.pe() == other) {
                return;
            }
        }
        knowers = new Knower(other, at, knowers);
    }

    /// Whether it has taken effect for whoever knows this past.
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

    /// Whether another one comes behind it, whatever the network does.
    boolean isBefore(WriteAccess other) {
        return isKnown(other.clock) || (sharesLane(other) && number() <= other.behind());
    }

    /// Whether another one of the same PE and channel stands for it once it has landed.
    boolean isSucceededBy(WriteAccess other) {
        return sharesLane(other) && number() < other.number() && agreesWith(other);
    }

    /// Whether it doesn't matter which of the two comes first.
    boolean agreesWith(WriteAccess other) {
        return (kind.atomic && other.kind.atomic)
                || (kind.isPut() && kind == other.kind && interval.equals(other.interval) && content == other.content);
    }

    private boolean sharesLane(WriteAccess other) {
        return position != null && other.position != null && position.history() == other.position.history();
    }

    private long number() {
        return position == null ? 0 : position.number();
    }

    private long behind() {
        return position == null ? 0 : position.behind();
    }
}
