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
final class Write extends Access {
    /// What its PE knew when it began.
    final Past past;

    /// Null where the PE has stored into its own heap.
    final @Nullable Turn turn;

    /// Of a put: the same where the bytes are the same.
    final long content;

    /// Of a signal: the bytes that come with it.
    final @Nullable Write payload;

    /// What it is a piece of, or null: who knows that, knows this.
    private final @Nullable Write whole;

    private @Nullable Knower knowers;

    /// Whether it has taken effect.
    boolean landed;

    /// What it has found at its word, if it fetches that.
    @Nullable
    Chain<Release> found;

    /// What it reads, if it may do no more than that.
    @Nullable
    Read read;

    private record Knower(int pe, long at, @Nullable Knower next) {}

    Write(
            int pe,
            Deed deed,
            Span span,
            @Nullable StackFrame place,
            Past past,
            @Nullable Turn turn,
            long content,
            @Nullable Write payload) {
        super(pe, deed, span, place);
        this.past = past;
        this.turn = turn;
        this.content = content;
        this.payload = payload;
        this.whole = null;
    }

    private Write(Write whole, Span span) {
        super(whole.pe, whole.deed, span, whole.place);
        this.past = whole.past;
        this.turn = whole.turn;
        this.content = whole.content;
        this.payload = null;
        this.whole = whole;
        this.landed = whole.landed;
    }

    /// Some bytes of it, of which may be known that they have come.
    Write piece(Span bytes) {
        return new Write(this, span.common(bytes, bytes.offset()));
    }

    /// Whether who sees these bytes sees all of it: words come in one.
    boolean isAllIn(Span bytes) {
        return deed != Deed.PUT || bytes.contains(span);
    }

    /// It has come to its word, or to a part of it, and found this there.
    void find(@Nullable Release release) {
        if (release != null && (found == null || found.first != release)) {
            found = new Chain<>(release, found);
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
    boolean isKnown(Past to) {
        if (turn == null) {
            return to.reaches(pe, past.of(pe));
        }
        for (Knower knower = knowers; knower != null; knower = knower.next()) {
            if (to.reaches(knower.pe(), knower.at())) {
                return true;
            }
        }
        return (whole != null && whole.isKnown(to)) || turn.lane().isKnown(turn.number(), to);
    }

    /// Whether another one comes behind it, whatever the network does.
    boolean isBefore(Write other) {
        return isKnown(other.past) || (sharesLane(other) && number() <= other.behind());
    }

    /// Whether another one of the same PE and channel stands for it once it has landed.
    boolean isSucceededBy(Write other) {
        return sharesLane(other) && number() < other.number() && agreesWith(other);
    }

    /// Whether it doesn't matter which of the two comes first.
    boolean agreesWith(Write other) {
        return (deed.atomic && other.deed.atomic)
                || (deed.isPut() && deed == other.deed && span.equals(other.span) && content == other.content);
    }

    private boolean sharesLane(Write other) {
        return turn != null && other.turn != null && turn.lane() == other.turn.lane();
    }

    private long number() {
        return turn == null ? 0 : turn.number();
    }

    private long behind() {
        return turn == null ? 0 : turn.behind();
    }
}
