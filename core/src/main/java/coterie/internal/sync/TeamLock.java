// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.record.TeamText;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.SuccessorThread;
import coterie.internal.wait.UpcallGuard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Lets one thread of a PE at a time call a team's collectives. A second thread that arrives meanwhile throws: it
/// does not wait.
///
/// The lock is a word that holds the id of the thread in a collective. A thread acquires it by compare-and-swap,
/// so that of two threads that arrive at the same moment one acquires it and the other throws. Where the world was
/// joined at SINGLE or FUNNELED, the lock belongs to one thread for good and needs no word.
final class TeamLock {
    private static final VarHandle HOLDER;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(TeamLock.class, "holder", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Membership membership;
    private final @Nullable Thread confinedTo;
    private final UpcallGuard upcallGuard;

    /// Id of the thread that is in a collective, or 0. An id and no reference: storing it needs no barrier of the
    /// garbage collector.
    private volatile long holder;

    /// Whether the holder keeps the lock from one collective to the next; its own business.
    private boolean isHeld;

    /// The thread that acquired the lock last, for messages alone.
    private @Nullable Thread latest;

    private final PeTracer tracer;

    /// Collectives that a traced job has had, and the text of the members.
    private long traced;

    private String members = "";

    /// @param confinedTo the only thread that may call collectives, or null if all may
    /// @param tracer gets the collectives of a traced job
    /// @param upcallGuard knows whether a thread is in a callback, where it may not call a collective
    TeamLock(Membership membership, @Nullable Thread confinedTo, PeTracer tracer, UpcallGuard upcallGuard) {
        this.membership = membership;
        this.tracer = tracer;
        this.confinedTo = confinedTo;
        this.upcallGuard = upcallGuard;
    }

    /// Acquires the lock for a collective. The thread that holds it may acquire it again; its first release frees
    /// it, unless it holds the lock for several.
    ///
    /// @throws WrongThreadException if the team is confined to another thread
    /// @throws IllegalStateException if another thread holds it, or the caller is in a callback
    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    void acquire(OperationKind kind) {
        checkNotInUpcall(kind);
        if (confinedTo != null) {
            checkThread(kind.label());
        } else {
            Thread me = Thread.currentThread();
            if (!HOLDER.compareAndSet(this, 0L, me.threadId()) && holder != me.threadId()) {
                throw taken(kind);
            }
            if (latest != me) {
                latest = me;
            }
        }
        if (Tracing.ON) {
            began(kind);
        }
    }

    /// Acquires the lock for several collectives, each of which acquires it again; [#letGo] releases it.
    ///
    /// @throws WrongThreadException if the team is confined to another thread
    /// @throws IllegalStateException if another thread holds it, or the caller is in a callback
    void hold(OperationKind kind) {
        check(kind);
        if (confinedTo == null) {
            Thread me = Thread.currentThread();
            if (!HOLDER.compareAndSet(this, 0L, me.threadId()) && holder != me.threadId()) {
                throw taken(kind);
            }
            latest = me;
        }
        isHeld = true;
    }

    /// Tells a traced job that a collective begins; [#ended] ends it. All members count alike.
    void began(OperationKind kind) {
        if (members.isEmpty()) {
            members = TeamText.of(
                    membership.name(),
                    IntStream.range(0, membership.size()).map(membership::pe).toArray());
        }
        tracer.enterCollective(this, kind.label(), members, traced++);
    }

    /// Tells a traced job that the collective has ended.
    void ended() {
        tracer.leaveCollective(this);
    }

    void carries(long bytes) {
        tracer.collectiveBytes(bytes);
    }

    /// Releases the lock, however the collective has ended.
    void release() {
        if (Tracing.ON) {
            ended();
        }
        if (confinedTo == null && !isHeld) {
            HOLDER.setRelease(this, 0L);
        }
    }

    /// Releases what [#hold] has acquired.
    void letGo() {
        isHeld = false;
        if (confinedTo == null) {
            HOLDER.setRelease(this, 0L);
        }
    }

    /// Checks that the calling thread may call a collective now.
    ///
    /// @throws WrongThreadException if the team is confined to another thread
    /// @throws IllegalStateException if another thread holds the lock, or the caller is in a callback
    void check(OperationKind kind) {
        checkNotInUpcall(kind);
        checkThread(kind.label());
        checkNoOtherThread(kind);
    }

    /// Checks that the calling thread may use the team at all.
    ///
    /// @throws WrongThreadException if the team is confined to another thread
    void checkThread(String operation) {
        if (SuccessorThread.isForeign(confinedTo)) {
            throw new WrongThreadException(messagePrefix(operation)
                    + ", but the world was joined at a thread level that"
                    + " confines its collectives to " + confinedTo + "; join at SERIALIZED or MULTIPLE");
        }
    }

    /// Checks that no other thread holds the lock.
    ///
    /// @throws IllegalStateException if one does
    void checkNoOtherThread(OperationKind kind) {
        long other = holder;
        if (other != 0 && other != Thread.currentThread().threadId()) {
            throw taken(kind);
        }
    }

    /// Checks that the calling thread is not in a callback or in the condition of a triggered post.
    void checkNotInUpcall(OperationKind kind) {
        if (upcallGuard.isWithin()) {
            throw inUpcall(kind);
        }
    }

    private IllegalStateException inUpcall(OperationKind kind) {
        return new IllegalStateException(
                messagePrefix(kind) + " from a callback or a condition of a request, or a progress hook, which must"
                        + " not wait: its thread may be in a collective already; post a request instead");
    }

    private IllegalStateException taken(OperationKind kind) {
        long other = holder;
        Thread last = latest;
        String name = last != null && last.threadId() == other ? last.toString() : "thread #" + other;
        return new IllegalStateException(messagePrefix(kind) + " while " + name
                + " is in a collective of the team; threads of a PE call a team's collectives one at a time");
    }

    private String messagePrefix(OperationKind kind) {
        return messagePrefix(kind.label());
    }

    private String messagePrefix(String operation) {
        return membership.messagePrefix(operation) + "called by " + Thread.currentThread();
    }
}
