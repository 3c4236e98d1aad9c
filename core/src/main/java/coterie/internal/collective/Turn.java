// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.wait.WaitKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Whose turn it is to call a team's collectives: one thread of a PE at a time, or one alone.
///
/// Threads that come at the same moment are told apart for certain: of two, one is in and one is refused. That
/// costs a collective one compare-and-swap of a word that no other PE touches, and next to
/// nothing where the world leaves its teams to one thread.
final class Turn {
    private static final VarHandle HOLDER;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(Turn.class, "holder", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Roster roster;
    private final @Nullable Thread confinedTo;

    /// Id of the thread that is in a collective, or 0. A number and no reference, which the garbage collector would
    /// have to be told of.
    @SuppressWarnings("UnusedVariable") // HOLDER writes it
    private volatile long holder;

    /// The thread that was in a collective last, for messages: it may be behind for a moment.
    private @Nullable Thread latest;

    /// @param confinedTo the only thread that may call collectives, or null if all may
    Turn(Roster roster, @Nullable Thread confinedTo) {
        this.roster = roster;
        this.confinedTo = confinedTo;
    }

    /// Enters a collective; the same thread may do so again before it leaves.
    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    void take(WaitKind kind) {
        Thread me = Thread.currentThread();
        if (confinedTo != null) {
            if (confinedTo != me) {
                throw refusal(kind);
            }
            HOLDER.setOpaque(this, me.threadId());
            return;
        }
        if (!(HOLDER.compareAndSet(this, 0L, me.threadId()) || holder == me.threadId())) {
            throw refusal(kind);
        }
        if (latest != me) {
            latest = me;
        }
    }

    /// Leaves the collective, however it has ended.
    void giveBack() {
        HOLDER.setRelease(this, 0L);
    }

    /// The same for a thread that may have left it already.
    void giveBackIfMine() {
        HOLDER.compareAndSet(this, Thread.currentThread().threadId(), 0L);
    }

    /// Refuses a thread that may not call a collective now.
    ///
    /// @throws WrongThreadException if the team is confined to another
    /// @throws IllegalStateException if another is in a collective
    void check(WaitKind kind) {
        checkThread(kind);
        checkNobodyElse(kind);
    }

    /// Refuses a thread that may not call a collective at any time.
    ///
    /// @throws WrongThreadException if the team is confined to another
    void checkThread(WaitKind kind) {
        if (isForeign()) {
            throw refusal(kind);
        }
    }

    /// As [#check], for who may be any thread.
    void checkNobodyElse(WaitKind kind) {
        long other = holder;
        if (other != 0 && other != Thread.currentThread().threadId()) {
            throw taken(kind, other);
        }
    }

    private RuntimeException refusal(WaitKind kind) {
        return isForeign()
                ? new WrongThreadException(who(kind) + ", but the world was joined at a level of threads that leaves it"
                        + " to " + confinedTo + "; join at SERIALIZED or MULTIPLE")
                : taken(kind, holder);
    }

    private IllegalStateException taken(WaitKind kind, long other) {
        Thread thread = latest;
        String name = thread != null && thread.threadId() == other ? thread.toString() : "thread #" + other;
        return new IllegalStateException(
                who(kind) + " while " + name + " is in a collective of the team; they must take turns");
    }

    private String who(WaitKind kind) {
        return roster.who(kind.words()) + "called by " + Thread.currentThread();
    }

    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    private boolean isForeign() {
        return confinedTo != null && confinedTo != Thread.currentThread();
    }
}
