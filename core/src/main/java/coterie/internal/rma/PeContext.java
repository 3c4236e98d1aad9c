// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.Context;
import coterie.ContextOption;
import coterie.PeFailedException;
import coterie.SessionOption;
import coterie.Team;
import coterie.internal.wait.Counters;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the operations of one PE go through: where its peers' memory is, and their order and completion.
///
/// ```
///  view.put(index, …, pe)
///    │ check pe, range, that block and context are alive      once per call, no allocation
///    │ base = context.direct[pe]                               0: Distant → conduit → ticket → waiting room
///    ▼
///  store or copy at base + block offset + index
///    │ mark dirty                                              quiet: full fence, and the conduit's for the
///    distant ▼
/// ```
///
/// The world's default context is the *home* of the others: blocks belong to it, and it closes them.
public final class PeContext implements Context {
    /// My number in the world.
    final int me;

    final WaitingRoom room;
    final Counters counters;
    final PeContext home;
    final ConduitPath conduitPath;

    final PeerBases peerBases;

    /// The world's, whatever the context.
    private final Scratch.Pool scratch;

    /// [PeerBases#direct], and empty once the context is closed: so the one check of a PE's number tells that too.
    long[] direct;

    /// The only thread that may come here, or null.
    private final @Nullable Thread confined;

    /// Whether a quiet with nothing to complete is nothing: only where plain stores don't count, and one thread at
    /// a time keeps `dirty`.
    private final boolean elides;

    private final Conduit conduit;
    private final int size;
    private final List<PeContext> children = new ArrayList<>();
    private final PeContext own;
    private @Nullable Team team;
    private int failuresReported;
    private boolean closed;
    boolean dirty;

    /// The default context of a world of `size` PEs; heaps come with [PeerBases#attach], the team with
    /// [#belongTo].
    ///
    /// @param confined the only thread that may use it, or null
    public PeContext(int me, int size, Conduit conduit, WaitingRoom room, @Nullable Thread confined) {
        this.me = me;
        this.size = size;
        this.conduit = conduit;
        this.room = room;
        this.counters = room.counters();
        this.home = this;
        this.peerBases = new PeerBases(size, conduit);
        this.direct = peerBases.direct;
        this.confined = confined;
        this.elides = false;
        this.conduitPath = new ConduitPath(this, conduit);
        this.scratch = new Scratch.Pool();
        this.own = new PeContext(this);
    }

    private PeContext(PeContext home) {
        this(home, home.size, null, home.peerBases, Set.of());
    }

    private PeContext(PeContext home, int size, @Nullable Team team, PeerBases peerBases, Set<ContextOption> options) {
        this.me = home.me;
        this.size = size;
        this.conduit = home.conduit;
        this.room = home.room;
        this.counters = home.counters;
        this.home = home;
        this.peerBases = peerBases;
        this.direct = peerBases.direct;
        this.confined = options.contains(ContextOption.PRIVATE) ? Thread.currentThread() : null;
        this.elides = options.contains(ContextOption.NOSTORE)
                && (options.contains(ContextOption.PRIVATE) || options.contains(ContextOption.SERIALIZED));
        this.team = team;
        this.conduitPath = new ConduitPath(this, conduit);
        this.scratch = home.scratch;
        this.own = this;
    }

    /// Makes this the default context of the world's team.
    public void belongTo(Team world) {
        team = world;
    }

    /// Makes a context beside this default one.
    ///
    /// @param members the context's team
    /// @param where the team's heaps, of [PeerBases#of]
    public PeContext create(Team members, PeerBases where, ContextOption... options) {
        Set<ContextOption> asked = Set.copyOf(Arrays.asList(options));
        if (asked.contains(ContextOption.PRIVATE) && asked.contains(ContextOption.SERIALIZED)) {
            throw new IllegalArgumentException("createContext on PE " + me + ", team \"" + members.name()
                    + "\": PRIVATE and SERIALIZED exclude each other");
        }
        synchronized (children) {
            if (closed) {
                throw new IllegalStateException("createContext on PE " + me + ": the world was closed");
            }
            PeContext child = new PeContext(this, members.size(), members, where, asked);
            children.add(child);
            return child;
        }
    }

    /// What collectives work in.
    public Scratch.Pool scratch() {
        return scratch;
    }

    /// What the copies of collectives go through: beside this default one, so that a collective neither completes
    /// nor waits for what the program has put.
    public PeContext own() {
        return home.own;
    }

    /// Where the heaps are.
    public PeerBases peerBases() {
        return peerBases;
    }

    @Override
    public Team team() {
        if (team == null) {
            throw new IllegalStateException("team of a context on PE " + me + ": it has none yet");
        }
        return team;
    }

    @Override
    public void fence() {
        enter("fence");
        VarHandle.releaseFence();
        if (!peerBases.allDirect()) {
            conduitPath.fence();
        }
    }

    @Override
    public void quiet() {
        enter("quiet");
        complete();
        reportFailures("quiet");
    }

    @Override
    public void quiet(int... pes) {
        enter("quiet");
        for (int pe : pes) {
            if (pe < 0 || pe >= size) {
                throw ArgumentErrors.outside("quiet", this, pe);
            }
        }
        if (peerBases.allDirect()) {
            if (pes.length > 0) {
                complete();
            }
        } else {
            completeTowards(pes);
        }
        reportFailures("quiet");
    }

    /// Completes what I put, and says nothing of failures: for collectives, which report them in their own way.
    public void complete() {
        if (elides && !dirty) {
            return;
        }
        dirty = false;
        if (!peerBases.allDirect()) {
            conduitPath.quiet(Channel.ALL_PEERS);
        }
        VarHandle.fullFence();
    }

    /// Completes what I put as far as it takes a conduit. What I have stored is visible to whoever sees what I
    /// store with release from now on: all that a member of a team needs whom I tell.
    public void completeForNotified() {
        if (peerBases.allDirect()) {
            dirty = false;
        } else {
            complete();
        }
    }

    /// Completes what I put to these PEs, each in its way: one fence for all that I have stored to, and a question
    /// to the conduit for each of the others.
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

    private void reportFailures(String operation) {
        if (room.hasFailures()) {
            PeFailedException failure = room.failuresBeyond(failuresReported, operation);
            if (failure != null) {
                failuresReported = failure.failedPes().size();
                throw failure;
            }
        }
    }

    @Override
    public void startSession(SessionOption... options) {
        enter("startSession");
    }

    @Override
    public void startSession(long totalOperations, SessionOption... options) {
        enter("startSession");
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
        if (home == this) {
            throw new IllegalStateException("close of the default context on PE " + me + ": it ends with its world");
        }
        if (closed) {
            return;
        }
        enter("close");
        complete();
        end();
        synchronized (home.children) {
            home.children.remove(this);
        }
    }

    /// Whether a team has a private context open.
    public boolean hasPrivate(Team members) {
        return children().stream().anyMatch(child -> members.equals(child.team) && child.confined != null);
    }

    /// Completes and ends all contexts of a team that is no more.
    public void closeAll(Team members) {
        for (PeContext child : children()) {
            if (members.equals(child.team)) {
                child.complete();
                child.end();
                synchronized (children) {
                    children.remove(child);
                }
            }
        }
    }

    /// Completes this default context and what collectives have put, for memory that changes hands: one that has
    /// failed may have left copies under way.
    public void completeWithOwn() {
        complete();
        own.complete();
    }

    /// Completes this default context and all others, whichever threads they belong to.
    public void completeAll() {
        completeWithOwn();
        for (PeContext child : children()) {
            child.complete();
        }
    }

    /// Ends the default context and all others: the world has closed.
    ///
    /// @throws IllegalStateException if private contexts of other threads were among them; all have ended then
    public void endAll() {
        List<PeContext> left = children();
        own.end();
        end();
        int foreign = 0;
        for (PeContext child : left) {
            foreign += child.isForeign() ? 1 : 0;
            child.end();
        }
        if (foreign > 0) {
            throw new IllegalStateException("close of the world on PE " + me + ": " + foreign
                    + " private contexts of other threads were still open; close each in its thread first");
        }
    }

    private List<PeContext> children() {
        synchronized (children) {
            return List.copyOf(children);
        }
    }

    private void end() {
        closed = true;
        direct = new long[0];
        conduitPath.close();
    }

    /// Refuses a thread that must not come here, and everybody once the context is closed.
    void enter(String operation) {
        if (closed || isForeign()) {
            throw ArgumentErrors.ofContext(operation, this);
        }
    }

    @SuppressWarnings("ReferenceEquality") // threads are who they are, and this is on every operation's way
    boolean isForeign() {
        return confined != null && confined != Thread.currentThread();
    }

    boolean isClosed() {
        return closed;
    }

    /// The thread that alone may come here; only asked where there is one.
    String confinedTo() {
        return confined == null ? "any thread" : "thread \"" + confined.getName() + "\"";
    }

    int size() {
        return size;
    }

    /// Whether a PE of my team is myself.
    boolean isMe(int pe) {
        return peerBases.world(pe) == me;
    }

    /// Where my own heap is, for what I load and store in it myself.
    long local() {
        return peerBases.local;
    }
}
