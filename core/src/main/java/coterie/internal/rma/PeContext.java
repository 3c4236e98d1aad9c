// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.Context;
import coterie.ContextOption;
import coterie.SessionOption;
import coterie.Team;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.TraceLayout;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.Counters;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.SuccessorThread;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A context of one PE: the addresses of its peers' memory, and the order and completion of its operations.
///
/// ```
///  view.put(index, …, pe)
///    │ check the PE, the range, the block and the context     once per call, no allocation
///    │ base = context.direct[pe]                               0: ConduitPath → conduit → ticket → waiting room
///    ▼
///  store or copy at base + block offset + index
///    │ mark dirty                                              quiet: full fence, and the conduit's quiet
///    ▼
/// ```
///
/// The world's default context is the *home* of the others: it owns the blocks, and closes the other contexts.
public final class PeContext implements Context {
    /// This PE's number in the world.
    final int me;

    /// This PE's number in the context's team.
    final int number;

    final PeRuntime runtime;
    final WaitingRoom room;
    final Counters counters;
    final PeContext home;
    final ConduitPath conduitPath;
    final PeerBases peerBases;

    /// The same object in all contexts of the world.
    private final Scratch.Pool scratch;

    /// [PeerBases#direct]; `end` replaces it by an empty array, so that the check of a PE's number also detects a
    /// closed context.
    long[] direct;

    /// The only thread that may use this context, or null if all may.
    private final @Nullable Thread confined;

    /// Whether a quiet may do nothing if no operation is pending. The options of the context must exclude plain
    /// stores, and concurrent updates of `dirty`.
    private final boolean elides;

    private final Conduit conduit;
    private final int size;

    /// The context whose operations this one's are: the default context for one that only numbers the PEs of a
    /// team, see [#numbered], and otherwise this one.
    private final PeContext base;

    /// Whether this PE loads and stores the memory of all PEs that [#base] has.
    private final boolean allDirect;

    /// In the default context: the contexts of the world that have been made, itself included.
    private int contexts = 1;
    private final List<PeContext> children = new CopyOnWriteArrayList<>();
    private final PeContext own;
    private @Nullable Team team;
    private final ReportedFailures reportedFailures;

    final OwnReads ownReads = new OwnReads();

    private boolean closed;
    boolean dirty;

    /// Makes the default context of a world of `size` PEs; [PeerBases#attach] adds the heaps, [#belongTo] the
    /// team.
    ///
    /// @param confined the only thread that may use it, or null
    public PeContext(int me, int size, Conduit conduit, PeRuntime runtime, @Nullable Thread confined) {
        this.me = me;
        this.number = me;
        this.size = size;
        this.conduit = conduit;
        this.runtime = runtime;
        this.room = runtime.room();
        this.counters = runtime.counters();
        this.home = this;
        this.peerBases = new PeerBases(size, conduit);
        this.direct = peerBases.direct;
        this.confined = confined;
        this.elides = false;
        this.base = this;
        this.allDirect = peerBases.allDirect();
        this.conduitPath = new ConduitPath(this, conduit, 0);
        this.reportedFailures = new ReportedFailures(runtime);
        this.scratch = new Scratch.Pool();
        this.own = new PeContext(this, null, size, null, peerBases, null, false);
    }

    /// Makes another context of a world.
    ///
    /// @param base see [#base]; null for this one
    private PeContext(
            PeContext home,
            @Nullable PeContext base,
            int size,
            @Nullable Team team,
            PeerBases peerBases,
            @Nullable Thread confined,
            boolean elides) {
        this.me = home.me;
        this.number = team == null ? home.me : team.member();
        this.size = size;
        this.conduit = home.conduit;
        this.runtime = home.runtime;
        this.room = home.room;
        this.counters = home.counters;
        this.home = home;
        this.peerBases = peerBases;
        this.direct = peerBases.direct;
        this.confined = confined;
        this.elides = elides;
        this.team = team;
        this.base = base == null ? this : base;
        this.allDirect = this.base.peerBases.allDirect();
        this.conduitPath = base == null ? new ConduitPath(this, conduit, home.contexts++) : base.conduitPath.of(this);
        this.reportedFailures = base == null ? new ReportedFailures(runtime) : base.reportedFailures;
        this.scratch = home.scratch;
        this.own = this;
    }

    /// Makes this the default context of the world's team.
    public void belongTo(Team world) {
        team = world;
    }

    /// Makes another context of this world.
    ///
    /// @param members the context's team
    /// @param where the addresses of its heaps, from [PeerBases#of]
    public PeContext create(Team members, PeerBases where, ContextOption... options) {
        ArgumentErrors.requireAll("createContext", this, "options", options);
        Set<ContextOption> asked = Set.copyOf(Arrays.asList(options));
        if (asked.contains(ContextOption.PRIVATE) && asked.contains(ContextOption.SERIALIZED)) {
            throw new IllegalArgumentException("createContext on PE " + me + ", team \"" + members.name()
                    + "\": PRIVATE and SERIALIZED exclude each other");
        }
        synchronized (children) {
            if (closed) {
                throw new IllegalStateException("createContext on PE " + me + ": the world was closed");
            }
            boolean isPrivate = asked.contains(ContextOption.PRIVATE);
            boolean elides =
                    asked.contains(ContextOption.NOSTORE) && (isPrivate || asked.contains(ContextOption.SERIALIZED));
            Thread only = isPrivate ? Thread.currentThread() : null;
            PeContext child = new PeContext(this, null, members.size(), members, where, only, elides);
            children.add(child);
            return child;
        }
    }

    /// Returns this default context with the PE numbers of a team: the order and the completion of its operations
    /// are those of this context.
    ///
    /// @param where the addresses of the team's heaps, from [PeerBases#of]
    public PeContext numbered(Team members, PeerBases where) {
        PeContext numbered = new PeContext(this, this, members.size(), members, where, confined, elides);
        children.add(numbered);
        return numbered;
    }

    /// Returns the buffers for collectives.
    public Scratch.Pool scratch() {
        return scratch;
    }

    /// Returns the context for the copies of collectives. It is not the default context, so that a collective
    /// neither completes the program's puts nor waits for them.
    public PeContext own() {
        return home.own;
    }

    /// Returns the addresses of the team's heaps.
    public PeerBases peerBases() {
        return peerBases;
    }

    @Override
    public Team team() {
        if (team == null) {
            throw new IllegalStateException("team of the default context on PE " + me + ": the world is not open yet");
        }
        return team;
    }

    @Override
    public void fence() {
        long began = Tracing.begin(counters.tracer);
        enter("fence");
        VarHandle.releaseFence();
        if (!allDirect) {
            conduitPath.fence();
        }
        PeTracer.ended(counters.tracer, began, EventKind.ORDER, "fence", 0, 0);
    }

    @Override
    public void quiet() {
        long began = Tracing.begin(counters.tracer);
        enter("quiet");
        complete();
        PeTracer.ended(counters.tracer, began, EventKind.ORDER, "quiet", TraceLayout.COMPLETES, 0);
        reportedFailures.throwNew("quiet");
    }

    @Override
    public void quiet(int... pes) {
        long began = Tracing.begin(counters.tracer);
        enter("quiet");
        if (pes == null) {
            throw ArgumentErrors.missing("quiet", this, "pes");
        }
        for (int pe : pes) {
            if (pe < 0 || pe >= size) {
                throw ArgumentErrors.outside("quiet", this, pe);
            }
        }
        if (!peerBases.allDirect()) {
            completeTowards(pes);
        } else if (pes.length > 0) {
            complete();
        }
        PeTracer.ended(counters.tracer, began, EventKind.ORDER, "quiet", 0, 0);
        reportedFailures.throwNew("quiet");
    }

    /// Completes this context's puts without reporting failures: collectives report those themselves.
    public void complete() {
        if (elides && !dirty) {
            return;
        }
        dirty = false;
        if (!allDirect) {
            conduitPath.quiet(Channel.ALL_PEERS);
        }
        VarHandle.fullFence();
    }

    /// Completes this context's puts for members that this PE notifies next. Puts over a conduit complete; stores
    /// need no fence, because the release store of the notification publishes them.
    public void completeForNotified() {
        if (peerBases.allDirect()) {
            dirty = false;
        } else {
            complete();
        }
    }

    /// Completes this context's puts to some PEs: by one quiet of the conduit for each PE that this PE can't store
    /// to, and by one fence for all others.
    private void completeTowards(int[] pes) {
        for (int pe : pes) {
            if (peerBases.direct[pe] == 0) {
                conduitPath.quiet(pe);
            }
        }
        if (pes.length > 0) {
            VarHandle.fullFence();
        }
    }

    @Override
    public long quietNbi() {
        enter("quietNbi");
        return elides && !dirty ? reported(0) : startQuiet(Channel.ALL_PEERS, allDirect);
    }

    @Override
    public long quietNbi(int pe) {
        enter("quietNbi");
        if (pe < 0 || pe >= size) {
            throw ArgumentErrors.outside("quietNbi", this, pe);
        }
        return startQuiet(pe, peerBases.direct[pe] != 0);
    }

    /// @param pe or [Channel#ALL_PEERS]
    /// @param isDirect whether the conduit has none of the operations to complete
    private long startQuiet(int pe, boolean isDirect) {
        long ticket = isDirect ? 0 : conduitPath.quietNbi(pe);
        VarHandle.fullFence();
        if (ticket == 0 && pe == Channel.ALL_PEERS) {
            dirty = false;
        }
        return reported(ticket);
    }

    private long reported(long ticket) {
        if (ticket == 0) {
            reportedFailures.throwNew("quietNbi");
        }
        return ticket;
    }

    @Override
    public boolean isComplete(long ticket) {
        checkTicket("isComplete", ticket);
        if (ticket == 0) {
            return true;
        }
        boolean isComplete = conduitPath.isComplete(ticket);
        if (isComplete) {
            completed("isComplete", ticket, Tracing.begin(counters.tracer));
        }
        return isComplete;
    }

    @Override
    public void complete(long ticket) {
        long began = Tracing.begin(counters.tracer);
        checkTicket("complete", ticket);
        if (ticket != 0) {
            conduitPath.complete(ticket);
            completed("complete", ticket, began);
        }
    }

    private void checkTicket(String operation, long ticket) {
        enter(operation);
        if (ticket != 0 && !conduitPath.has(ticket)) {
            throw ArgumentErrors.foreignTicket(operation, this, ticket);
        }
    }

    private void completed(String operation, long ticket, long began) {
        VarHandle.fullFence();
        PeTracer.ended(counters.tracer, began, EventKind.ORDER, operation, 0, ticket);
        if (TicketWindow.isQuiet(ticket)) {
            reportedFailures.throwNew(operation);
        }
    }

    @Override
    public boolean isDirect(int pe) {
        enter("isDirect");
        if (pe < 0 || pe >= size) {
            throw ArgumentErrors.outside("isDirect", this, pe);
        }
        return direct[pe] != 0;
    }

    @Override
    public void startSession(SessionOption... options) {
        enter("startSession");
        ArgumentErrors.requireAll("startSession", this, "options", options);
    }

    @Override
    public void startSession(long totalOperations, SessionOption... options) {
        startSession(options);
        if (totalOperations < 1) {
            throw new IllegalArgumentException(
                    "startSession on PE " + me + ": " + totalOperations + " operations; allowed are 1 and more");
        }
    }

    @Override
    public void stopSession() {
        enter("stopSession");
    }

    @Override
    public void close() {
        if (base == home) {
            throw new IllegalStateException("close of the default context on PE " + me
                    + (home == this
                            ? ": it closes with its world; close the world"
                            : ": as numbered by a team it closes with the team; close the team"));
        }
        if (closed) {
            return;
        }
        enter("close");
        complete();
        end();
        home.children.remove(this);
    }

    /// Returns whether a team has a private context open.
    public boolean hasPrivate(Team members) {
        return children.stream()
                .anyMatch(child -> members.equals(child.team) && child.base == child && child.confined != null);
    }

    /// Completes and closes all contexts of a team that the program destroys.
    public void closeAll(Team members) {
        for (PeContext child : children) {
            if (members.equals(child.team)) {
                child.complete();
                child.end();
                children.remove(child);
            }
        }
    }

    /// Completes this default context and the context of collectives, before memory gets another owner: a
    /// collective that failed may have left copies in progress.
    public void completeWithOwn() {
        complete();
        own.complete();
    }

    /// Completes this default context and all others, even those of other threads.
    public void completeAll() {
        completeWithOwn();
        for (PeContext child : children) {
            child.complete();
        }
    }

    /// Closes the default context and all others when the world closes.
    ///
    /// @throws IllegalStateException if other threads had private contexts open; these are closed nevertheless
    public void endAll() {
        own.end();
        end();
        int foreign = 0;
        for (PeContext child : children) {
            foreign += child.base == child && child.isForeign() ? 1 : 0;
            child.end();
        }
        if (foreign > 0) {
            throw new IllegalStateException("close of the world on PE " + me + ": " + foreign
                    + " private contexts of other threads were still open; close each in its thread first");
        }
    }

    private void end() {
        closed = true;
        direct = new long[0];
        if (base == this) {
            conduitPath.close();
        }
    }

    /// Throws if the context is closed, or is private to another thread.
    public void enter(String operation) {
        if (closed || isForeign()) {
            throw ArgumentErrors.ofContext(operation, this);
        }
    }

    boolean isForeign() {
        return SuccessorThread.isForeign(confined);
    }

    boolean isClosed() {
        return closed;
    }

    /// Returns the only thread that may use this context, for messages.
    String confinedTo() {
        return confined == null ? "any thread" : "thread \"" + confined.getName() + "\"";
    }

    int size() {
        return size;
    }

    /// Returns whether a PE of this context's team is this PE.
    boolean isMe(int pe) {
        return peerBases.world(pe) == me;
    }

    /// Returns the address of this PE's own heap, for its own loads and stores.
    long local() {
        return peerBases.local;
    }

    @Override
    public String toString() {
        return (base == home ? "default context" : "context") + " on PE " + me + (team == null ? "" : " of " + team)
                + (closed ? ", closed" : "");
    }
}
