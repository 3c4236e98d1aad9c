// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.cluster.JobFrame.Kind;
import coterie.spi.Encryption;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The thread of a coordinator: accepts connections, reads and sends messages, and keeps the deadlines.
///
/// ```
///  stranger ── proof within 5 s ──► member ── JOIN ──► PE ── end of the connection, silence, exit code ──► ended
///     └── anything else: closed        └── refused, with the reason
/// ```
final class CoordinatorLoop implements Runnable {
    /// The longest time between two looks at the deadlines.
    private static final long MAX_TICK_NANOS = 100_000_000;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final long LAST_NANOS = JobCoordinator.LAST_MESSAGES.toNanos();

    /// PEs send a message in each quarter of the time that silence may last; so does the coordinator.
    static final int MESSAGES_PER_SILENCE = 4;

    private final ServerSocketChannel server;
    private final Selector selector;
    private final byte[] secret;
    private final Encryption encryption;
    private final JobCoordinator.Options options;
    private final JobCoordinator.Listener listener;
    private final JobClock clock;
    private final JobLedger ledger;
    private final long openedNanos;
    private final long silenceNanos;
    private final int silenceMillis;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Strangers strangers;
    private final @Nullable PeerSocket[] peers;
    private final ProcessEnd[] ends;
    private final RefusedProcesses refused = new RefusedProcesses();
    private final List<Lonely> lonely = new ArrayList<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /// While PEs come that another coordinator had.
    private @Nullable Resumption resumption;

    /// What PEs have sent meanwhile.
    private final List<Runnable> resumed = new ArrayList<>();

    private final List<StandbyPlace> standbys = new ArrayList<>();
    private boolean hasStarted;
    private boolean isRefused;
    private volatile boolean isStopped;

    /// A wait until a PE is the last one.
    private record Lonely(int pe, Runnable action) {}

    CoordinatorLoop(
            ServerSocketChannel server,
            byte[] secret,
            Encryption encryption,
            JobCoordinator.Options options,
            JobCoordinator.Listener listener,
            @Nullable Resumption resumption,
            JobClock clock)
            throws IOException {
        this.server = server;
        this.secret = secret;
        this.encryption = encryption;
        this.options = options;
        this.listener = listener;
        this.clock = clock;
        this.openedNanos = clock.nanoTime();
        this.ledger = new JobLedger(options.size(), this::sendToAll);
        this.resumption = resumption;
        if (resumption != null) {
            ledger.takeOver();
            hasStarted = true;
        }
        this.silenceNanos = options.silence().toNanos();
        this.silenceMillis = (int) Math.min(Integer.MAX_VALUE, options.silence().toMillis());
        this.strangers = new Strangers(options.size());
        this.peers = new PeerSocket[options.size()];
        this.ends = new ProcessEnd[options.size()];
        Arrays.setAll(ends, pe -> new ProcessEnd());
        this.selector = Selector.open();
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
    }

    /// Runs a task in the thread of the coordinator, unless the coordinator has stopped.
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /// Ends the thread.
    void stop() {
        isStopped = true;
        selector.wakeup();
    }

    @Override
    public void run() {
        int tick = clock.blockMillis(Math.min(silenceNanos / (2 * MESSAGES_PER_SILENCE), MAX_TICK_NANOS));
        try {
            while (!isStopped) {
                selector.select(this::serve, tick);
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                keepDeadlines();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the coordinator of a job can't select connections", e);
        } finally {
            close();
        }
    }

    private void close() {
        for (SelectionKey each : selector.keys()) {
            if (each.attachment() instanceof PeerSocket peer) {
                JobCoordinator.closeSocket(peer);
            }
        }
        JobCoordinator.closeSocket(server);
        JobCoordinator.closeSocket(selector);
        for (ProcessEnd end : ends) {
            if (end.decided != null) {
                end.decided.countDown();
            }
        }
        lonely.forEach(each -> each.action.run());
    }

    private void serve(SelectionKey key) {
        if (!key.isValid()) {
            return; // it was closed in this round to make room
        }
        if (!(key.attachment() instanceof PeerSocket peer)) {
            strangers.accept(
                    server,
                    selector,
                    (socket, its) -> new PeerSocket(socket, its, secret, encryption, silenceMillis, clock));
            return;
        }
        try {
            if (key.isWritable()) {
                peer.flush();
            }
            if (key.isReadable()) {
                do {
                    peer.read(buffer);
                    for (JobFrame frame = peer.next(); frame != null; frame = peer.next()) {
                        handle(peer, frame);
                    }
                } while (peer.hasInput());
            }
        } catch (IOException e) {
            drop(peer, e);
        }
    }

    private void handle(PeerSocket peer, JobFrame frame) throws IOException {
        if (peer.isEnding()) {
            return;
        }
        int pe = peer.pe;
        Resumption open = resumption;
        if (open != null) {
            resume(peer, frame, open);
        } else if (pe == PeerSocket.NO_PE && frame.kind() == Kind.RESUME) {
            peer.refuse("this PE counts as failed: it came late to the PE that has taken over the coordinator");
        } else if (pe == PeerSocket.NO_PE) {
            if (frame.kind() != Kind.JOIN) {
                throw new ProtocolException("its first message after the proof is " + frame.kind());
            }
            join(peer, frame);
        } else if (!peer.isFenced) {
            switch (frame.kind()) {
                case ALIVE -> frame.end();
                case VALUES -> ledger.fence(pe, frame.longNumber(), frame.rest());
                case STATE -> enter(pe, frame.number());
                case FAILED -> fail(checked(frame.number()), frame.text());
                case LEAVE -> ledger.leave(pe);
                case ABORT -> abort(pe, frame.number());
                default -> throw new ProtocolException("a PE does not send " + frame.kind());
            }
        }
    }

    private int checked(int pe) throws ProtocolException {
        if (pe < 0 || pe >= ledger.size()) {
            throw new ProtocolException("there is no PE " + pe);
        }
        return pe;
    }

    /// A PE that another coordinator had comes, or has come and goes on.
    private void resume(PeerSocket peer, JobFrame frame, Resumption open) throws IOException {
        if (peer.pe != PeerSocket.NO_PE) {
            resumed.add(() -> {
                try {
                    handle(peer, frame);
                } catch (IOException e) {
                    peer.failure = e;
                }
            });
            return;
        }
        if (frame.kind() != Kind.RESUME) {
            throw new ProtocolException("its first message after the proof is " + frame.kind());
        }
        int pe = open.take(frame, ledger);
        if (pe == PeerSocket.NO_PE) {
            peer.refuse("this PE counts as failed: another one has taken over the coordinator from it");
            return;
        }
        strangers.remove(peer);
        peer.pe = pe;
        peers[pe] = peer;
    }

    private void concludeResumption(Resumption open) {
        if (!open.isOver(ledger)) {
            return;
        }
        resumption = null;
        open.conclude(ledger);
        ledger.announce();
        resumed.forEach(Runnable::run);
        resumed.clear();
    }

    private void join(PeerSocket peer, JobFrame frame) throws IOException {
        int wanted = frame.number();
        int size = frame.number();
        long heapBytes = frame.longNumber();
        ProcessPlace place = new ProcessPlace(frame.text(), frame.number(), frame.text());
        int standbyPort = frame.number();
        frame.end();
        Optional<String> refusal = isRefused ? Optional.of("PEs did not join in time") : ledger.refusal(wanted, size);
        if (refusal.isPresent()) {
            refused.add("a process at " + peer.host() + " (" + refusal.get() + ")");
            peer.refuse(refusal.get());
            return;
        }
        strangers.remove(peer);
        int pe = ledger.join(wanted, place, heapBytes);
        peer.pe = pe;
        peers[pe] = peer;
        if (standbyPort > 0) {
            standbys.add(new StandbyPlace(pe, peer.host(), standbyPort));
        }
        for (ByteBuffer each : ledger.history()) {
            peer.send(each);
        }
        listener.changed(pe, PeState.STARTING);
        if (ledger.isComplete() && !hasStarted) {
            hasStarted = true;
            startAll();
        }
    }

    private void startAll() {
        standbys.sort(Comparator.comparingInt(StandbyPlace::pe));
        int[] nodes = ledger.nodeNumbers();
        int[] usableCpus = ledger.usableCpus();
        long heap = options.heapBytes() > 0 ? options.heapBytes() : ledger.leastHeapBytes();
        for (int pe = 0; pe < peers.length; pe++) {
            JobFrame.Builder start = new JobFrame.Builder(Kind.START)
                    .number(pe)
                    .number(peers.length)
                    .number(heap)
                    .number(options.endsProcesses() ? 1 : 0)
                    .number(usableCpus[pe]);
            for (int node : nodes) {
                start.number(node);
            }
            StandbyPlace.write(standbys, start);
            send(peers[pe], start.build());
        }
    }

    private void enter(int pe, int ordinal) throws ProtocolException {
        PeState[] states = PeState.values();
        if (ordinal < 0 || ordinal >= states.length) {
            throw new ProtocolException("there is no state " + ordinal);
        }
        if (ledger.enter(pe, states[ordinal])) {
            listener.changed(pe, states[ordinal]);
        }
    }

    void abort(int pe, int exitCode) {
        int code = exitCode & 0xFF;
        if (!ledger.isAborted()) {
            listener.aborted(pe, code); // first: the PE that aborts returns as soon as it knows that all do
            ledger.abort(code);
        }
    }

    /// A PE is known to act no more, although the end of its process has not been reported.
    void fail(int pe, String reason) {
        if (ledger.end(pe, PeState.FAILED, PeJob.UNKNOWN_EXIT_CODE, reason)) {
            fence(pe);
            listener.ended(pe, PeState.FAILED, PeJob.UNKNOWN_EXIT_CODE, reason);
        }
        decided(pe);
    }

    /// The connection of a failed PE stays open: if the PE still lives, it learns that it counts as failed.
    private void fence(int pe) {
        PeerSocket peer = peers[pe];
        if (peer != null) {
            peer.isFenced = true;
        }
    }

    /// The program that started the job reports the end of a process.
    void exited(int pe, int exitCode, CountDownLatch decided) {
        ProcessEnd end = ends[pe];
        end.exitCode = exitCode;
        end.decided = decided;
        if (peers[pe] == null || ledger.state(pe).hasTerminated()) {
            decide(pe);
        } else {
            end.deadlineNanos = clock.nanoTime() + LAST_NANOS;
        }
    }

    /// Decides how a PE ended whose process, or at least its connection, has ended.
    private void decide(int pe) {
        ProcessEnd end = ends[pe];
        end.deadlineNanos = 0;
        PeState state = ledger.state(pe);
        boolean isKnown = end.exitCode != PeJob.UNKNOWN_EXIT_CODE;
        boolean isOutside = state == PeState.CLOSED || (state == PeState.STARTING && isKnown);
        boolean isGood = isOutside && (!isKnown || end.exitCode == 0);
        int code = isGood && !isKnown ? 0 : end.exitCode;
        String reason = isGood || isKnown ? "" : "its connection to the coordinator ended";
        PeState last = isGood ? PeState.ENDED : PeState.FAILED;
        if (ledger.end(pe, last, code, reason)) {
            listener.ended(pe, last, code, reason);
        }
        decided(pe);
    }

    private void decided(int pe) {
        CountDownLatch decided = ends[pe].decided;
        if (decided != null) {
            decided.countDown();
        }
    }

    /// Runs an action as soon as no PE but this one is connected.
    void whenAlone(int pe, Runnable action) {
        lonely.add(new Lonely(pe, action));
    }

    /// Returns the number of connections that have not joined, as of the latest look at the deadlines.
    int strangers() {
        return strangers.count();
    }

    /// Returns when the latest bytes of each PE came; for a PE that is not connected, the time now.
    long[] heardNanos() {
        long now = clock.nanoTime();
        return Arrays.stream(peers)
                .mapToLong(peer -> peer == null ? now : peer.heardNanos)
                .toArray();
    }

    private void drop(PeerSocket peer, IOException why) {
        JobCoordinator.closeSocket(peer);
        strangers.remove(peer);
        int pe = peer.pe;
        if (pe == PeerSocket.NO_PE) {
            if (why instanceof ProtocolException) {
                refused.add("a connection from " + peer.host() + " (" + why.getMessage() + ")");
            }
            return;
        }
        peers[pe] = null;
        if (ledger.state(pe).hasTerminated()) {
            return;
        }
        if (why instanceof ProtocolException) {
            fail(pe, "it broke the protocol: " + why.getMessage());
        } else if (ends[pe].exitCode != PeJob.UNKNOWN_EXIT_CODE || !options.reportsExits()) {
            decide(pe);
        } else if (ledger.state(pe) != PeState.CLOSED) {
            ends[pe].deadlineNanos = clock.nanoTime() + LAST_NANOS;
        }
    }

    private void keepDeadlines() {
        long now = clock.nanoTime();
        strangers.expire(now);
        long pause = silenceNanos / MESSAGES_PER_SILENCE;
        for (int pe = 0; pe < peers.length; pe++) {
            long deadline = ends[pe].deadlineNanos;
            if (deadline != 0 && now - deadline >= 0) {
                decide(pe);
            }
            PeerSocket peer = peers[pe];
            if (peer == null) {
                continue;
            }
            if (peer.failure != null) {
                drop(peer, peer.failure);
                continue;
            }
            boolean hasExited = ends[pe].exitCode != PeJob.UNKNOWN_EXIT_CODE; // then the deadline decides
            if (!peer.isFenced && !hasExited && now - peer.heardNanos > silenceNanos) {
                fail(pe, "no message came from it for " + options.silence().toMillis() + " ms");
            }
            if (!peer.isFenced && now - peer.sentNanos >= pause) {
                send(peer, new JobFrame.Builder(Kind.ALIVE).build());
            }
        }
        Resumption open = resumption;
        if (open != null) {
            concludeResumption(open);
        }
        refuseLateJobs(now);
        checkAlone();
    }

    private void refuseLateJobs(long now) {
        if (!hasStarted
                && !isRefused
                && !options.joinTimeout().isZero()
                && now - openedNanos > options.joinTimeout().toNanos()) {
            isRefused = true;
            String why = "PEs " + ledger.missing() + " of " + ledger.size() + " have not joined within "
                    + options.joinTimeout().toSeconds() + " s" + refused;
            listener.refused(why);
            for (PeerSocket peer : peers) {
                if (peer != null) {
                    try {
                        peer.refuse(why);
                    } catch (IOException e) {
                        drop(peer, e);
                    }
                }
            }
        }
    }

    private void checkAlone() {
        lonely.removeIf(each -> {
            boolean isAlone = true;
            for (int pe = 0; pe < peers.length; pe++) {
                PeerSocket peer = peers[pe];
                isAlone &= pe == each.pe || peer == null || peer.isFenced;
            }
            if (isAlone) {
                each.action.run();
            }
            return isAlone;
        });
    }

    private void sendToAll(ByteBuffer message) {
        for (PeerSocket peer : peers) {
            send(peer, message);
        }
    }

    /// Sends a message to a PE. A PE that is fenced gets the message that fences it, and no later one.
    private void send(@Nullable PeerSocket peer, ByteBuffer message) {
        if (peer != null && !peer.isFenced) {
            try {
                peer.send(message);
            } catch (IOException e) {
                peer.failure = e; // dropped with the deadlines, when no message is on its way to all PEs
            }
        }
    }
}
