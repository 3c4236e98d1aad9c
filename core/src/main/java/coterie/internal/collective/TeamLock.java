// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.wait.OperationKind;
import coterie.internal.wait.UpcallGuard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Whose turn it is to call a team's collectives: one thread of a PE at a time, or one alone.
///
/// Threads that come at the same moment are told apart for certain: of two, one is in and one is refused. For that
/// a thread must not miss that another is coming, while its own coming is still on the way to memory, which takes
/// a fence of each; and a fence waits for all that was told to other PEs to arrive. Most teams are called by one
/// thread for ever, so the first one comes and goes without, until a second one comes. That one has the first
/// stopped for a moment, between two steps of its program, and then both know of each other. From there on all go
/// by compare-and-swap of a word.
///
/// ```
///  the first thread                        a second one
///    isInside = true                         isRevoked = true
///    isRevoked?  then go by the holder       have the first one stopped for a moment
///                                            isInside?  then I am refused
/// ```
final class TeamLock {
    private static final VarHandle HOLDER;
    private static final VarHandle INSIDE;
    private static final VarHandle REVOKED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HOLDER = lookup.findVarHandle(TeamLock.class, "holder", long.class);
            INSIDE = lookup.findVarHandle(TeamLock.class, "isInside", boolean.class);
            REVOKED = lookup.findVarHandle(TeamLock.class, "isRevoked", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Membership membership;
    private final @Nullable Thread confinedTo;

    private final UpcallGuard upcallGuard;

    /// The first thread that has come, or the only one that may; null until then, and where it can't be stopped.
    private @Nullable Thread first;

    /// Whether the first one is in without being the holder. Nobody else writes it.
    private volatile boolean isInside;

    /// Whether the first one has to go by the holder.
    @SuppressWarnings("UnusedVariable") // REVOKED reads it
    private volatile boolean isRevoked;

    /// Whether it knows: what it has written before is here.
    private volatile boolean isShared;

    /// Id of the thread that is in a collective, or 0, where several come. A number and no reference, which the
    /// garbage collector would have to be told of.
    private volatile long holder;

    /// The thread that was the holder last, for messages: it may be behind for a moment.
    private @Nullable Thread latest;

    /// @param confinedTo the only thread that may call collectives, or null if all may
    /// @param upcallGuard from within which nobody calls a collective
    TeamLock(Membership membership, @Nullable Thread confinedTo, UpcallGuard upcallGuard) {
        this.membership = membership;
        this.upcallGuard = upcallGuard;
        this.confinedTo = confinedTo;
        this.first = confinedTo != null && canBeStopped(confinedTo) ? confinedTo : null;
    }

    /// Enters a collective; the same thread may do so again before it leaves.
    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    void acquire(OperationKind kind) {
        checkNotInUpcall(kind);
        Thread me = Thread.currentThread();
        if (first == me && !(boolean) REVOKED.getOpaque(this)) {
            if ((boolean) INSIDE.getOpaque(this)) {
                return;
            }
            INSIDE.setOpaque(this, true);
            if (!(boolean) REVOKED.getOpaque(this)) {
                return;
            }
            isInside = false;
        }
        enter(kind, me);
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private void enter(OperationKind kind, Thread me) {
        checkThread(kind);
        if (isMine(me) || (!isShared && isFirst(me))) {
            return;
        }
        if (isInside || !(HOLDER.compareAndSet(this, 0L, me.threadId()) || holder == me.threadId())) {
            throw taken(kind);
        }
        if (latest != me) {
            latest = me;
        }
    }

    /// Takes the place of the first one, and enters, or makes an end of there being one.
    private synchronized boolean isFirst(Thread me) {
        boolean isFree = !isShared && first == null && canBeStopped(me);
        if (isFree) {
            first = me;
            isInside = true;
        } else {
            share();
        }
        return isFree;
    }

    /// Has all go by the holder. Nobody who comes later waits here.
    ///
    /// To read a thread's stack, the JVM stops it where its program is between two steps, so that all it has
    /// written before is there for us, and all it reads behind is read anew. Where it is at that moment doesn't
    /// matter: it has not read yet that it is revoked, or has written before that it is inside.
    private synchronized void share() {
        Thread other = first;
        if (!isShared && other != null) {
            isRevoked = true;
            other.getStackTrace();
        }
        isShared = true;
    }

    /// The same for who doesn't come in: where nobody has come yet, the next one is still the first.
    private synchronized void shareIfAny() {
        if (first != null) {
            share();
        }
    }

    /// Whether the JVM is asked for a thread's stack, and not a program's own kind of thread.
    private static boolean canBeStopped(Thread thread) {
        try {
            return !thread.isVirtual()
                    && thread.getClass().getMethod("getStackTrace").getDeclaringClass() == Thread.class;
        } catch (NoSuchMethodException e) {
            throw new AssertionError("every thread has it", e);
        }
    }

    /// Leaves the collective, however it has ended.
    void release() {
        if (isMine(Thread.currentThread())) {
            INSIDE.setRelease(this, false);
        } else {
            HOLDER.setRelease(this, 0L);
        }
    }

    /// The same for a thread that may have left it already.
    void releaseIfMine() {
        Thread me = Thread.currentThread();
        if (isMine(me) || holder == me.threadId()) {
            release();
        }
    }

    /// Whether a thread is in as the first one.
    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    private boolean isMine(Thread me) {
        return first == me && (boolean) INSIDE.getOpaque(this);
    }

    /// Refuses a thread that may not call a collective now.
    ///
    /// @throws WrongThreadException if the team is confined to another
    /// @throws IllegalStateException if another is in a collective
    void check(OperationKind kind) {
        checkNotInUpcall(kind);
        checkThread(kind);
        checkNobodyElse(kind);
    }

    /// Refuses a thread that may not call a collective at any time.
    ///
    /// @throws WrongThreadException if the team is confined to another
    void checkThread(OperationKind kind) {
        if (isForeign()) {
            throw new WrongThreadException(
                    messagePrefix(kind) + ", but the world was joined at a level of threads that leaves" + " it to "
                            + confinedTo + "; join at SERIALIZED or MULTIPLE");
        }
    }

    /// As [#check], for who may be any thread.
    @SuppressWarnings("ReferenceEquality") // as above
    void checkNobodyElse(OperationKind kind) {
        Thread me = Thread.currentThread();
        if (!isShared && first != me) {
            shareIfAny();
        }
        long other = holder;
        if ((isInside && !isMine(me)) || (other != 0 && other != me.threadId())) {
            throw taken(kind);
        }
    }

    /// Refuses a thread that is in a callback or an event.
    void checkNotInUpcall(OperationKind kind) {
        if (upcallGuard.isWithin()) {
            throw inUpcall(kind);
        }
    }

    private IllegalStateException inUpcall(OperationKind kind) {
        return new IllegalStateException(
                messagePrefix(kind) + " from a callback or an event of a request, which must not wait:"
                        + " its thread may be in a collective already; post a request instead");
    }

    private IllegalStateException taken(OperationKind kind) {
        Thread in = isInside ? first : latest;
        long other = holder;
        String name = in != null && (isInside || in.threadId() == other) ? in.toString() : "thread #" + other;
        return new IllegalStateException(
                messagePrefix(kind) + " while " + name + " is in a collective of the team; they must take turns");
    }

    private String messagePrefix(OperationKind kind) {
        return membership.messagePrefix(kind.label()) + "called by " + Thread.currentThread();
    }

    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    private boolean isForeign() {
        return confinedTo != null && confinedTo != Thread.currentThread();
    }
}
