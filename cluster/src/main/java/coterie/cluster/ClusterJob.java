// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.cluster.JobFrame.Kind;
import coterie.spi.Encryption;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import coterie.spi.RuntimeThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A job that a coordinator serves. A thread receives what the coordinator sends: first the ends of PEs that came
/// to an end before this one joined, then START as soon as all PEs have joined, then changes.
///
/// The PE and its coordinator send each other a message in each quarter of the time that silence may last. A PE
/// that hears nothing for this time, or whose connection ends, counts itself as failed: its coordinator and its
/// peers count it as failed, too.
final class ClusterJob implements PeJob {
    private static final PeState[] STATES = PeState.values();

    private volatile JobLink link;
    private final JobClock clock;
    private final byte[] secret;
    private final String place;
    private volatile String coordinator;
    private final int pe;
    private final int size;
    private final int usableCpus;
    private final int[] nodes;
    private final long heapBytes;
    private final InetAddress hostAddress;
    private final long silenceNanos;
    private final boolean endsProcess;
    private final Thread receiver;
    private final JobView view;
    private final JobValues exchanged;
    private final Takeover takeover;

    /// What this PE has sent and another coordinator must hear, too.
    private final List<Asked> asked = new ArrayList<>();

    private boolean isRefused;
    private volatile boolean isClosing;

    /// A message, and whether the coordinator has answered it.
    private record Asked(ByteBuffer message, BooleanSupplier isAnswered) {}

    /// @param start the message with the numbers of the job
    /// @param isProcess whether the PE is a process, which may end for the PE
    private ClusterJob(
            JobLink link,
            JobKey key,
            Encryption encryption,
            String coordinator,
            JobFrame start,
            boolean isProcess,
            @Nullable ServerSocketChannel standby,
            BiConsumer<JobCoordinator, PeJob> host,
            JobClock clock)
            throws ProtocolException {
        this.link = link;
        this.clock = clock;
        this.secret = key.secret();
        this.place = key.place();
        this.coordinator = coordinator;
        this.hostAddress = link.localAddress();
        this.pe = start.number();
        this.size = start.number();
        this.heapBytes = start.longNumber();
        this.silenceNanos = link.silenceNanos();
        this.endsProcess = start.number() != 0 && isProcess;
        this.usableCpus = start.number();
        if (size < 1 || size > JobFrame.MAX_PES || pe < 0 || pe >= size) {
            throw new ProtocolException("START names PE " + pe + " of " + size);
        }
        this.nodes = new int[size];
        for (int each = 0; each < size; each++) {
            nodes[each] = start.number();
        }
        List<StandbyPlace> standbys = StandbyPlace.read(start, size);
        start.end();
        this.takeover = new Takeover(
                key.at(link.peerAddress()),
                encryption,
                pe,
                size,
                standbys,
                standby,
                opened -> host.accept(opened, this),
                silenceNanos,
                clock);
        this.view = new JobView(pe, size, clock);
        this.exchanged = new JobValues(pe, size);
        this.receiver = RuntimeThreads.apart("coterie-job", this::receive);
    }

    /// Joins the job of a coordinator. Returns when all PEs have joined.
    ///
    /// @param coordinator what has the coordinator, for messages
    /// @param wanted number of the PE, or −1 for any
    /// @param size number of PEs that the job must have, or [JobFrame#ANY_SIZE]
    /// @param here where this process runs
    /// @param heapBytes symmetric memory that this PE would have by itself
    /// @param isProcess whether the PE is a process, which may end for the PE; if not, an interrupt ends the join
    /// @param host gets the coordinator that this PE takes over; null if the PE does not stand by
    /// @throws coterie.PeFailedException if a PE has ended before all have joined
    /// @throws CoterieException if the coordinator can't be reached, or refuses this process
    static ClusterJob join(
            JobKey key,
            Encryption encryption,
            String coordinator,
            int wanted,
            int size,
            ProcessPlace here,
            long heapBytes,
            Duration timeout,
            boolean isProcess,
            @Nullable BiConsumer<JobCoordinator, PeJob> host,
            JobClock clock) {
        JobLink link = JobLink.connect(key, encryption, timeout, clock);
        ServerSocketChannel standby = null;
        ClusterJob job = null;
        try {
            standby = host == null ? null : Takeover.listen(link.localAddress());
            link.send(new JobFrame.Builder(Kind.JOIN)
                    .number(wanted)
                    .number(size)
                    .number(heapBytes)
                    .text(here.node())
                    .number(here.processors())
                    .text(here.affinity())
                    .number(standby == null ? 0 : standby.socket().getLocalPort())
                    .build());
            JobFrame start = JobStart.await(link, key.place(), !isProcess, clock);
            ClusterJob started = new ClusterJob(
                    link,
                    key,
                    encryption,
                    coordinator,
                    start,
                    isProcess,
                    standby,
                    host == null ? (opened, itself) -> {} : host,
                    clock);
            started.receiver.start();
            job = started;
            return started;
        } catch (IOException e) {
            throw new CoterieException("join: the coordinator at " + key.place() + ": " + e.getMessage(), e);
        } finally {
            if (job == null) {
                JobCoordinator.closeSocket(link);
                if (standby != null) {
                    JobCoordinator.closeSocket(standby);
                }
            }
        }
    }

    private void receive() {
        String problem = serve(link);
        for (JobLink next = successor(); next != null; next = successor()) {
            problem = serve(next);
        }
        takeover.close(); // PEs that wait for this PE to take over go to the next one
        lose(problem);
    }

    /// Takes what a coordinator sends, until the connection ends. Returns why it has ended.
    private String serve(JobLink from) {
        String problem;
        try {
            while (true) {
                JobFrame frame = from.receive(silenceNanos / (2 * CoordinatorLoop.MESSAGES_PER_SILENCE));
                if (frame != null) {
                    handle(frame);
                } else if (clock.nanoTime() - from.heardNanos() > silenceNanos) {
                    problem = "no message came from " + coordinator + " for "
                            + Duration.ofNanos(silenceNanos).toMillis() + " ms";
                    break;
                }
                from.keepAlive(silenceNanos / CoordinatorLoop.MESSAGES_PER_SILENCE);
            }
        } catch (IOException e) {
            problem = "the connection to " + coordinator + " ended: " + e.getMessage();
        }
        JobCoordinator.closeSocket(from);
        return problem;
    }

    /// Returns the connection to the coordinator that takes over, or null if there is none: the program is not in the
    /// job, or the coordinator has refused this PE, or no PE takes over.
    private @Nullable JobLink successor() {
        if (isClosing || isRefused || view.abortCode().isPresent() || !view.needsCoordinator()) {
            return null;
        }
        JobLink next = takeover.next(view);
        if (next == null) {
            return null; // no PE that stands by knows that the process of the coordinator has ended
        }
        try {
            next.send(view.resume());
            synchronized (asked) {
                asked.removeIf(each -> each.isAnswered.getAsBoolean());
                link = next;
                if (isClosing) {
                    JobCoordinator.closeSocket(next);
                    return null;
                }
                for (Asked each : asked) {
                    next.send(each.message.duplicate());
                }
            }
        } catch (IOException e) {
            JobCoordinator.closeSocket(next); // its end is found in the next receive
        }
        coordinator = takeover.description();
        return next;
    }

    private void handle(JobFrame frame) throws ProtocolException {
        switch (frame.kind()) {
            case ALIVE -> {}
            case VALUES -> exchanged.arrive(checked(frame.number()), frame.rest());
            case FENCED -> exchanged.complete(frame.longNumber());
            case STATE -> {
                int which = checked(frame.number());
                int state = frame.number();
                enter(
                        which,
                        STATES[Math.clamp(state, 0, STATES.length - 1)],
                        frame.number(),
                        frame.longNumber(),
                        frame.text());
            }
            case LEFT -> view.left(checked(frame.number()), frame.longNumber());
            case ABORT -> aborted(frame.number());
            case REFUSED -> {
                isRefused = true;
                throw new ProtocolException(frame.text());
            }
            default -> throw new ProtocolException("it sends " + frame.kind() + " after START");
        }
    }

    private int checked(int which) throws ProtocolException {
        if (which < 0 || which >= size) {
            throw new ProtocolException("it names PE " + which + " of " + size);
        }
        return which;
    }

    private void enter(int which, PeState state, int exitCode, long order, String reason) {
        if (view.enter(which, state, exitCode, order, reason)) {
            endLater("this PE counts as failed: " + reason, ProcessEnding.FENCED);
        }
    }

    private void aborted(int exitCode) {
        if (view.abort(exitCode)) {
            endLater("the job was aborted with exit code " + (exitCode & 0xFF), exitCode & 0xFF);
        }
    }

    /// The PE has no coordinator any more.
    private void lose(String problem) {
        if (view.lose(problem)) {
            endLater(problem, ProcessEnding.FENCED);
        }
    }

    /// Returns when the latest bytes of the coordinator came.
    long heardNanos() {
        return link.heardNanos();
    }

    /// Ends the connection, as the end of the process does.
    void disconnect() throws IOException {
        link.close();
    }

    @Override
    public void close() {
        isClosing = true;
        JobCoordinator.closeSocket(link);
        takeover.close();
        boolean isInterrupted = false;
        while (receiver.isAlive()) {
            try {
                receiver.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void endLater(String why, int exitCode) {
        if (endsProcess) {
            System.getLogger("coterie").log(System.Logger.Level.WARNING, "PE " + pe + ": " + why);
            ProcessEnding.start(exitCode);
        }
    }

    /// Sends a message. The thread that receives finds out if the connection has ended, and what to do then.
    private void send(ByteBuffer message) {
        JobLink to = link;
        try {
            to.send(message);
        } catch (IOException e) {
            JobCoordinator.closeSocket(to);
        }
    }

    /// Sends a message that another coordinator gets again, unless this one has answered it.
    private void ask(ByteBuffer message, BooleanSupplier isAnswered) {
        synchronized (asked) {
            asked.removeIf(each -> each.isAnswered.getAsBoolean());
            asked.add(new Asked(message, isAnswered));
        }
        send(message.duplicate());
    }

    @Override
    public int pe() {
        return pe;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public String description() {
        return "process " + ProcessHandle.current().pid() + " of the job at " + place;
    }

    @Override
    public int node(int other) {
        return nodes[other];
    }

    @Override
    public Optional<InetAddress> hostAddress() {
        return Optional.of(hostAddress);
    }

    @Override
    public long heapBytes() {
        return heapBytes;
    }

    @Override
    public int usableCpus() {
        return usableCpus;
    }

    /// Returns for CLOSED when the coordinator has it, since the process may end then.
    @Override
    public void state(PeState state) {
        if (view.choose(state)) {
            send(new JobFrame.Builder(Kind.STATE).number(state.ordinal()).build());
            if (state == PeState.CLOSED) {
                view.await(silenceNanos, view::isHeard);
            }
        }
    }

    @Override
    public PeState state(int other) {
        return view.state(other);
    }

    @Override
    public int exitCode(int other) {
        return view.exitCode(other);
    }

    @Override
    public long endedAtNanos(int other) {
        return view.endedAtNanos(other);
    }

    @Override
    public long epochAddress() {
        return view.epochAddress();
    }

    @Override
    public void failed(int other, String why) {
        BooleanSupplier isKnown = () -> view.state(other).hasTerminated();
        if (!isKnown.getAsBoolean()) {
            ask(new JobFrame.Builder(Kind.FAILED).number(other).text(why).build(), isKnown);
            if (other == pe) {
                view.await(silenceNanos, () -> false); // until the coordinator has repeated it
            }
        }
    }

    @Override
    public Optional<String> failureReason(int other) {
        return view.failureReason(other);
    }

    @Override
    public long endOrder(int other) {
        return view.endOrder(other);
    }

    @Override
    public boolean ordersEnds() {
        return true;
    }

    @Override
    public void leave() {
        ask(new JobFrame.Builder(Kind.LEAVE).build(), () -> view.endOrder(pe) != 0);
    }

    /// Returns when the coordinator has the request, since the caller may end its process then. What a process has sent
    /// just before its end may be lost: the end resets a connection on which messages for the process have arrived.
    @Override
    public void abort(int exitCode) {
        BooleanSupplier isKnown = () -> view.abortCode().isPresent();
        ask(new JobFrame.Builder(Kind.ABORT).number(exitCode).build(), isKnown);
        view.await(silenceNanos, isKnown);
    }

    @Override
    public OptionalInt abortCode() {
        return view.abortCode();
    }

    @Override
    public Optional<byte[]> sharedKey(String purpose) {
        return Optional.of(KeyProof.derivedKey(secret, purpose));
    }

    @Override
    public void put(String key, byte[] value) {
        exchanged.put(key, value);
    }

    @Override
    public long valueBytes() {
        return JobFrame.VALUE_BYTES;
    }

    @Override
    public long fence() {
        JobFrame.Builder message = new JobFrame.Builder(Kind.VALUES);
        long ticket = exchanged.begin(message);
        send(message.build());
        return ticket;
    }

    @Override
    public boolean isFenced(long ticket) {
        return exchanged.isFenced(ticket);
    }

    @Override
    public Optional<byte[]> get(int other, String key) {
        return exchanged.get(other, key);
    }
}
