// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.Context;
import coterie.ContextOption;
import coterie.ElementType;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.internal.memory.TeamLabel;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.Places;
import coterie.internal.wait.WaitKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import org.jspecify.annotations.Nullable;

/// The team of all PEs of a world.
///
/// Collectives check arguments, then meet. A mismatch poisons the team for everything that follows, the failure of
/// a member for all but barriers.
public final class PeTeam implements Team {
    private final int me;
    private final int size;
    private final PeContext context;
    private final Meeting meeting;
    private final Reducer reducer;
    private final Turn turn;
    private final TeamLabel label = new TeamLabel("world");

    /// Why the team can't go on: a mismatch or a failure, or its world's end.
    private @Nullable RuntimeException poison;

    /// @param firstSequence see [Meeting]
    /// @param confinedTo the only thread that may call collectives, or null if all may, one at a time
    public PeTeam(
            int me,
            int size,
            PeContext context,
            Conduit conduit,
            WaitingRoom room,
            long firstSequence,
            @Nullable Thread confinedTo) {
        this.me = me;
        this.size = size;
        this.context = context;
        this.meeting = new Meeting(this, conduit, room, firstSequence);
        this.reducer = new Reducer(this);
        this.turn = new Turn(this, confinedTo);
    }

    @Override
    public String name() {
        return "world";
    }

    TeamLabel label() {
        return label;
    }

    PeContext context() {
        return context;
    }

    Meeting meeting() {
        return meeting;
    }

    /// Number of the next collective, for a later world on the same lines.
    public long nextSequence() {
        return meeting.sequence() + 1;
    }

    @Override
    public int member() {
        return me;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int pe(int member) {
        if (member < 0 || member >= size) {
            throw new IndexOutOfBoundsException("pe of team \"" + name() + "\" on PE " + me + ": member " + member
                    + " is outside [0, " + size + ")");
        }
        return member;
    }

    @Override
    public Context createContext(ContextOption... options) {
        return context.create(this, options);
    }

    @Override
    public void barrier() {
        if (poison != null && !(poison instanceof PeFailedException)) {
            throw poisoned(WaitKind.BARRIER);
        }
        turn.take(WaitKind.BARRIER);
        try {
            context.complete();
            meeting.meet(WaitKind.BARRIER, 0);
        } catch (CollectiveMismatchException e) {
            poison = e;
            throw e;
        } finally {
            turn.giveBack();
        }
    }

    @Override
    public long sum(long value) {
        meetForSum(ElementType.LONG, value);
        long sum = 0;
        for (int member = 0; member < size; member++) {
            sum += meeting.heard(member, 1);
        }
        return sum;
    }

    @Override
    public double sum(double value) {
        meetForSum(ElementType.DOUBLE, Double.doubleToRawLongBits(value));
        double sum = Double.longBitsToDouble(meeting.heard(0, 1));
        for (int member = 1; member < size; member++) {
            sum += Double.longBitsToDouble(meeting.heard(member, 1));
        }
        return sum;
    }

    private void meetForSum(ElementType type, long bits) {
        begin(WaitKind.SUM);
        meeting.say(0, -1 - type.ordinal());
        meeting.say(1, bits);
        meet(WaitKind.SUM, 2, 1);
    }

    @Override
    public void sum(
            ElementType type,
            SymmetricMemory target,
            long targetOffset,
            SymmetricMemory source,
            long sourceOffset,
            long count) {
        long bytes = byteSize(type, count);
        Places.checkPair(
                context,
                "sum on team \"" + name() + "\"",
                target,
                targetOffset,
                source,
                sourceOffset,
                bytes,
                type.byteSize());
        begin(WaitKind.SUM);
        meeting.say(0, type.ordinal());
        meeting.say(1, Places.offsetOf(target) + targetOffset);
        meeting.say(2, Places.offsetOf(source) + sourceOffset);
        meeting.say(3, count);
        meet(WaitKind.SUM, 4, 4);
        reducer.sumMyShare(type, target, targetOffset, source, sourceOffset, count);
        context.complete();
        meet(WaitKind.SUM, 0, 0);
    }

    private long byteSize(ElementType type, long count) {
        if (count < 0 || count > Long.MAX_VALUE / type.byteSize()) {
            throw new IllegalArgumentException("sum on team \"" + name() + "\", PE " + me + ": count " + count
                    + " is outside [0, " + Long.MAX_VALUE / type.byteSize() + "]");
        }
        return count * type.byteSize();
    }

    @Override
    public void broadcast(
            SymmetricMemory target,
            long targetOffset,
            SymmetricMemory source,
            long sourceOffset,
            long length,
            int root) {
        if (root < 0 || root >= size) {
            throw new IndexOutOfBoundsException("broadcast on team \"" + name() + "\", PE " + me + ": root " + root
                    + " is outside [0, " + size + ")");
        }
        Places.checkPair(
                context, "broadcast on team \"" + name() + "\"", target, targetOffset, source, sourceOffset, length, 1);
        begin(WaitKind.BROADCAST);
        meeting.say(0, root);
        meeting.say(1, Places.offsetOf(target) + targetOffset);
        meeting.say(2, Places.offsetOf(source) + sourceOffset);
        meeting.say(3, length);
        meet(WaitKind.BROADCAST, 4, 4);
        if (me == root) {
            for (int next = 1; next < size; next++) {
                target.bytes().put(targetOffset, source.segment(), sourceOffset, length, pe((me + next) % size));
            }
            if (Places.offsetOf(target) + targetOffset != Places.offsetOf(source) + sourceOffset) {
                target.bytes().put(targetOffset, source.segment(), sourceOffset, length, pe(me));
            }
            context.complete();
        }
        meet(WaitKind.BROADCAST, 0, 0);
    }

    /// Meets for a data collective: whatever goes wrong poisons the team.
    ///
    /// @param said words that travel
    /// @param agreed how many of them, from the first, must be equal on all members
    void meet(WaitKind kind, int said, int agreed) {
        begin(kind);
        try {
            meeting.meet(kind, said);
            for (int word = 0; word < agreed; word++) {
                checkAgreement(kind, word);
            }
        } catch (CollectiveMismatchException | PeFailedException e) {
            poison = e;
            throw e;
        } finally {
            turn.giveBack();
        }
    }

    /// Meets for an agreement, whose caller decides what an absence means: only a mismatch of calls poisons the
    /// team.
    void meetAgreeing(WaitKind kind, int said) {
        begin(kind);
        try {
            meeting.meet(kind, said);
        } catch (CollectiveMismatchException e) {
            poison = e;
            throw e;
        } finally {
            turn.giveBack();
        }
    }

    /// Meets for the last time: the world closes. Any thread may bring that about, while none is in a collective.
    public void meetToClose() {
        turn.checkNobodyElse(WaitKind.CLOSE);
        context.complete();
        if (poison == null || poison instanceof PeFailedException) {
            meeting.meet(WaitKind.CLOSE, 0);
        }
    }

    /// Begins a data collective or an agreement; [#meet] and [#meetAgreeing] do so for those who have nothing to
    /// say.
    private void begin(WaitKind kind) {
        if (poison != null) {
            throw poisoned(kind);
        }
        turn.take(kind);
    }

    /// Refuses a thread that may not call a collective now; see [Turn#check].
    public void checkCaller(WaitKind kind) {
        turn.check(kind);
    }

    private void checkAgreement(WaitKind kind, int word) {
        for (int member = 0; member < size; member++) {
            if (meeting.heard(member, word) != meeting.heard(me, word)) {
                throw new CollectiveMismatchException(Arguments.disagreement(this, kind, word));
            }
        }
    }

    /// Refuses everything from now on.
    public void close() {
        poison = new IllegalStateException("the world was closed");
    }

    private RuntimeException poisoned(WaitKind kind) {
        String message = kind.words() + " on PE " + me + ": team \"" + name() + "\" can't go on, because of this: "
                + (poison == null ? "" : poison.getMessage());
        return switch (poison) {
            case PeFailedException failure -> new PeFailedException(message, failure.failedPes());
            case CollectiveMismatchException mismatch -> new CollectiveMismatchException(message);
            case null, default -> new IllegalStateException(message);
        };
    }
}
