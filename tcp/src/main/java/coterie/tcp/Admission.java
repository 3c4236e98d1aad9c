// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.CoterieException;
import coterie.spi.EncryptedChannel;
import coterie.spi.Encryption;
import coterie.spi.PeJob;
import coterie.spi.RuntimeThreads;
import coterie.tcp.ConnectionProof.Role;
import coterie.tcp.Handshake.Stage;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Makes the connections of a world: to peers that this PE calls, and from peers that call it. A thread of its own
/// serves all that has not proved the secret of the job, so that strangers cost the engine and its lock nothing.
///
/// Two PEs have one connection; once it is there, the PE with the lower number calls for the [Rail]s. Where both call
/// each other at the same time, that of the PE with the lower number stays: this PE refuses the call of a higher one
/// while its own is under way, and gives up its own for that of a lower one. A call that an acceptor has closed is
/// repeated: the acceptor may be short of room, or call itself.
final class Admission implements Runnable {
    /// Connections that may wait until this PE accepts them; the system has a limit of its own.
    private static final int BACKLOG = 4096;

    /// Connections without a proof that this PE holds, beside those of each peer and one more; the oldest makes room
    /// for a new one.
    private static final int MOST_STRANGERS = 64;

    /// Time for a proof.
    private static final long PROOF_NANOS = 5_000_000_000L;

    /// Time for an answer, after which this PE calls again: what the acceptor has sent may be lost.
    private static final long ANSWER_NANOS = 2 * PROOF_NANOS;

    /// Time after which this PE logs that it still calls. The peer may be stopped and come back, so that no time makes
    /// it a failed one.
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    /// Where nothing listens at an address. A peer listens before it publishes its address and until its world ends.
    private static final String NO_LISTENER = "Connection refused";

    /// Pause before the next call.
    private static final long PAUSE_NANOS = 10_000_000L;

    /// The longest wait for an event, and the pause after an error of the system such as one for want of
    /// descriptors.
    private static final long TICK_MILLIS = 100;

    private static final byte[] ACCEPTED = {1};

    private final PeJob job;
    private final int me;
    private final ConnectionProof proof;
    private final Encryption encryption;
    private final byte[] world;
    private final int connections;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final SelectionKey serverKey;
    private final Thread thread;
    private final Queue<Route> wanted = new ConcurrentLinkedQueue<>();
    private final Map<Route, Call> calls = new HashMap<>();
    private final Deque<Handshake> strangers = new ArrayDeque<>();
    private final Set<Route> joined = new HashSet<>();
    private volatile boolean isStopped;

    /// Set before the thread starts.
    private @Nullable Members members;

    private @Nullable IntFunction<PeAddress> addresses;

    /// What gets the connections. The thread of the admission calls it.
    interface Members {
        /// Both ends of a connection have proved the secret.
        ///
        /// @param connections how many of them the two PEs have; the first one comes before the others
        /// @param encrypted what bytes pass, if PEs encrypt
        void joined(Route route, int connections, SocketChannel socket, @Nullable EncryptedChannel encrypted)
                throws IOException;

        /// There will be no connection to a peer that this PE has called.
        void refused(int pe, String why);
    }

    /// What this PE does to reach a peer.
    private static final class Call {
        final long beganNanos;
        long nextNanos;
        boolean isLogged;

        @Nullable
        Handshake handshake;

        Call(long nowNanos) {
            this.beganNanos = nowNanos;
            this.nextNanos = nowNanos;
        }
    }

    /// Listens at an address of this host.
    ///
    /// @param connections to each peer that wants as many, in [1, [Rail#MOST]]
    Admission(PeJob job, byte[] key, Encryption encryption, InetAddress address, int connections) throws IOException {
        this.job = job;
        this.connections = connections;
        this.encryption = encryption;
        this.me = job.pe();
        this.proof = new ConnectionProof(key);
        this.world = proof.random(ConnectionProof.WORLD_BYTES);
        this.selector = Selector.open();
        this.server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(address, 0), BACKLOG);
        server.configureBlocking(false);
        this.serverKey = server.register(selector, SelectionKey.OP_ACCEPT);
        this.thread = RuntimeThreads.daemon("coterie-tcp-admission-" + me, this);
    }

    /// Returns what this PE publishes.
    PeAddress address(byte[] sharedSync) {
        try {
            return new PeAddress((InetSocketAddress) server.getLocalAddress(), connections, world, sharedSync);
        } catch (IOException e) {
            throw new CoterieException("PE " + me + ": conduit tcp can't find its own address", e);
        }
    }

    /// Begins to serve calls, after the join's fence: before it, a peer's published address may be that of an
    /// earlier world.
    ///
    /// @param published by a peer
    void start(Members connections, IntFunction<PeAddress> published) {
        members = connections;
        addresses = published;
        thread.start();
    }

    /// Begins to connect to a peer, unless there is a connection. Any thread may call it.
    void connect(int pe) {
        wanted.add(new Route(pe, 0));
        selector.wakeup();
    }

    private Members members() {
        return java.util.Objects.requireNonNull(members, "not started");
    }

    private PeAddress published(int pe) {
        return java.util.Objects.requireNonNull(addresses, "not started").apply(pe);
    }

    @Override
    public void run() {
        try (Selector _ = selector;
                ServerSocketChannel _ = server) {
            while (!isStopped) {
                Thread.interrupted(); // a wait with the flag set would return at once
                selector.select(this::serve, calls.isEmpty() ? TICK_MILLIS : PAUSE_NANOS / 1_000_000);
                if (!serverKey.isValid()) {
                    break;
                }
                long now = System.nanoTime();
                for (Route route = wanted.poll(); route != null; route = wanted.poll()) {
                    if (!joined.contains(route)) {
                        calls.putIfAbsent(route, new Call(now));
                    }
                }
                for (Route route : calls.keySet().toArray(Route[]::new)) {
                    call(route, now);
                }
                expire(now);
            }
            strangers.forEach(Admission::drop);
            for (Call call : calls.values()) {
                if (call.handshake != null) {
                    drop(call.handshake);
                }
            }
        } catch (IOException e) {
            throw new CoterieException("PE " + me + ": conduit tcp can't serve connections", e);
        }
    }

    private void serve(SelectionKey event) {
        if (event.isValid() && event.isAcceptable()) {
            accept();
        } else if (event.isValid()) {
            Handshake handshake = (Handshake) event.attachment();
            try {
                do {
                    step(handshake);
                } while (handshake.hasInput() && handshake.key.isValid());
            } catch (IOException e) {
                end(handshake, e);
            }
        }
    }

    private void accept() {
        try {
            for (SocketChannel socket = server.accept(); socket != null; socket = server.accept()) {
                if (strangers.size() >= MOST_STRANGERS + (1 + connections) * job.size()) {
                    drop(strangers.removeFirst());
                }
                SelectionKey key = prepare(socket, SelectionKey.OP_READ);
                Stage first = encryption.isOn() ? Stage.TLS : Stage.HELLO;
                Handshake handshake = new Handshake(socket, key, first, -1, System.nanoTime());
                handshake.encrypted = encryption.isOn() ? encryption.accept(socket) : null;
                key.attach(handshake);
                strangers.add(handshake);
            }
        } catch (IOException e) { // no descriptor is left, or the caller has gone: the next tick looks again
            serverKey.interestOps(0);
            if (!strangers.isEmpty()) {
                drop(strangers.removeFirst());
            }
        }
    }

    private SelectionKey prepare(SocketChannel socket, int interest) throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return socket.register(selector, interest);
    }

    private void call(Route route, long now) {
        Call call = calls.get(route);
        if (call == null) {
            return;
        }
        int pe = route.pe();
        if (job.state(pe).hasTerminated()) {
            giveUp(route, "it has ended");
            return;
        }
        if (!call.isLogged && now - call.beganNanos > PATIENCE_NANOS) {
            call.isLogged = true;
            System.getLogger("coterie")
                    .log(
                            System.Logger.Level.WARNING,
                            "PE " + me + ": PE " + pe + " has accepted no connection at "
                                    + published(pe).socket() + " for " + PATIENCE_NANOS / 1_000_000_000L
                                    + " s, and is called again and again: it is stopped, or a network drops what goes"
                                    + " there");
        }
        Handshake asked = call.handshake;
        if (asked != null && now - asked.beganNanos > ANSWER_NANOS) {
            drop(asked);
            call.handshake = null;
        }
        if (call.handshake != null || now - call.nextNanos < 0) {
            return;
        }
        SocketChannel socket = null;
        try {
            socket = SocketChannel.open();
            SelectionKey key = prepare(socket, SelectionKey.OP_CONNECT);
            Handshake handshake = new Handshake(socket, key, Stage.CONNECT, pe, now);
            handshake.rail = route.rail();
            key.attach(handshake);
            call.handshake = handshake;
            if (socket.connect(published(pe).socket())) {
                begin(handshake);
            }
        } catch (IOException e) {
            Handshake begun = call.handshake;
            if (begun != null) {
                end(begun, e);
            } else {
                close(socket);
                call.nextNanos = now + PAUSE_NANOS;
            }
        }
    }

    private void begin(Handshake handshake) throws IOException {
        if (encryption.isOn()) {
            handshake.encrypted = encryption.connect(handshake.socket);
            handshake.await(Stage.TLS);
            secure(handshake, handshake.encrypted);
        } else {
            greet(handshake);
        }
    }

    /// Advances TLS, after which the messages of the proof follow.
    private void secure(Handshake handshake, EncryptedChannel channel) throws IOException {
        if (!channel.handshake()) {
            handshake.key.interestOps(SelectionKey.OP_READ | (channel.isDrained() ? 0 : SelectionKey.OP_WRITE));
        } else if (handshake.pe >= 0) {
            greet(handshake);
        } else {
            handshake.key.interestOps(SelectionKey.OP_READ);
            handshake.await(Stage.HELLO);
        }
    }

    private void greet(Handshake handshake) throws IOException {
        handshake.key.interestOps(SelectionKey.OP_READ);
        handshake.hello = Handshake.hello(me, handshake.pe, handshake.rail, proof.random(ConnectionProof.NONCE_BYTES));
        handshake.send(handshake.hello);
        handshake.await(Stage.CHALLENGE);
    }

    private void step(Handshake handshake) throws IOException {
        if (handshake.stage == Stage.CONNECT) {
            if (handshake.socket.finishConnect()) {
                begin(handshake);
            }
            return;
        }
        if (handshake.stage == Stage.TLS) {
            secure(handshake, java.util.Objects.requireNonNull(handshake.encrypted, "not encrypted"));
            return;
        }
        byte[] message = handshake.read();
        if (message == null) {
            return;
        }
        switch (handshake.stage) {
            case HELLO -> {
                handshake.hello = message;
                handshake.pe = Handshake.source(message, me, job.size());
                handshake.rail = Handshake.rail(message);
                requireWanted(handshake.route());
                handshake.nonce = proof.random(ConnectionProof.NONCE_BYTES);
                handshake.send(handshake.nonce, proved(Role.ACCEPTOR, handshake, world, worldOf(handshake)));
                handshake.await(Stage.PROOF);
            }
            case PROOF -> {
                byte[] expected = proved(Role.INITIATOR, handshake, world, worldOf(handshake));
                if (!ConnectionProof.isRight(message, expected)) {
                    throw new IOException("it has not the secret of the job");
                }
                requireWanted(handshake.route());
                handshake.send(ACCEPTED);
                strangers.remove(handshake);
                join(handshake);
            }
            case CHALLENGE -> {
                handshake.nonce = Arrays.copyOf(message, ConnectionProof.NONCE_BYTES);
                byte[] its = Arrays.copyOfRange(message, ConnectionProof.NONCE_BYTES, message.length);
                if (!ConnectionProof.isRight(its, proved(Role.ACCEPTOR, handshake, worldOf(handshake), world))) {
                    giveUp(
                            handshake.route(),
                            "what listens at its address has not the secret of the job"
                                    + (encryption.isOn() ? ", or a host between ends TLS" : ""));
                    return;
                }
                handshake.send(proved(Role.INITIATOR, handshake, worldOf(handshake), world));
                handshake.await(Stage.VERDICT);
            }
            case VERDICT -> join(handshake);
            case CONNECT, TLS -> throw new AssertionError("handled above");
        }
    }

    private byte[] worldOf(Handshake handshake) {
        return published(handshake.pe).world();
    }

    private byte[] proved(Role role, Handshake handshake, byte[] acceptorWorld, byte[] initiatorWorld)
            throws IOException {
        return proof.of(role, handshake.hello, handshake.nonce, acceptorWorld, initiatorWorld, handshake.binding());
    }

    /// Refuses a second connection of a kind to a peer, the call of a higher one while this PE calls it, and a rail
    /// that the two PEs do not have.
    private void requireWanted(Route route) throws IOException {
        if (joined.contains(route) || (me < route.pe() && calls.containsKey(route))) {
            throw new IOException("PE " + me + " has a connection to PE " + route.pe() + ", or is about to");
        }
        if (!route.isFirst()
                && (me < route.pe()
                        || route.rail() < 0
                        || route.rail() >= connectionsTo(route.pe())
                        || !joined.contains(route.first()))) {
            throw new IOException("PE " + me + " has no rail " + route.rail() + " to PE " + route.pe());
        }
    }

    private int connectionsTo(int pe) {
        return Math.clamp(published(pe).connections(), 1, connections);
    }

    private void join(Handshake handshake) throws IOException {
        Route route = handshake.route();
        joined.add(route);
        Call call = calls.remove(route);
        if (call != null && call.handshake != null && call.handshake != handshake) {
            drop(call.handshake);
        }
        handshake.key.cancel();
        int its = connectionsTo(route.pe());
        members().joined(route, its, handshake.socket, handshake.encrypted);
        if (route.isFirst() && me < route.pe()) {
            for (int rail = 1; rail < its; rail++) {
                wanted.add(new Route(route.pe(), rail));
            }
        }
    }

    /// Ends a connection without a proof. Where this PE has called, it calls again, unless there is no listener.
    private void end(Handshake handshake, IOException why) {
        drop(handshake);
        strangers.remove(handshake);
        Call call = handshake.pe < 0 ? null : calls.get(handshake.route());
        if (call != null && call.handshake == handshake) {
            call.handshake = null;
            call.nextNanos = System.nanoTime() + PAUSE_NANOS;
            if (why instanceof SSLException) {
                giveUp(handshake.route(), "TLS with it does not begin: " + why.getMessage());
            } else if (why instanceof ConnectException && NO_LISTENER.equals(why.getMessage())) {
                giveUp(handshake.route(), String.valueOf(why.getMessage()));
            }
        }
    }

    /// Calls a peer no more. Without a rail, payloads travel undivided.
    private void giveUp(Route route, String why) {
        Call call = calls.remove(route);
        if (call != null && call.handshake != null) {
            drop(call.handshake);
        }
        if (route.isFirst()) {
            members().refused(route.pe(), why);
        }
    }

    private void expire(long now) {
        serverKey.interestOps(SelectionKey.OP_ACCEPT);
        List<Handshake> late = new ArrayList<>();
        for (Handshake each : strangers) {
            if (now - each.beganNanos > PROOF_NANOS) {
                late.add(each);
            }
        }
        late.forEach(each -> {
            strangers.remove(each);
            drop(each);
        });
    }

    private static void drop(Handshake handshake) {
        handshake.key.cancel();
        close(handshake.socket);
    }

    private static void close(@Nullable SocketChannel socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new CoterieException("a connection can't be closed", e);
            }
        }
    }

    /// Ends the thread, and listens no more. An interrupt of the caller is kept.
    void stop() {
        isStopped = true;
        selector.wakeup();
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
