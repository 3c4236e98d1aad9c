// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.cluster.JobFrame.Kind;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/// A job that a coordinator serves. A thread receives what the coordinator sends: first the ends of PEs that came
/// to an end before this one joined, then START as soon as all PEs have joined, then changes.
///
/// The PE and its coordinator send each other a message in each quarter of the time that silence may last. A PE
/// that hears nothing for this time, or whose connection ends, counts itself as failed: its coordinator and its
/// peers count it as failed, too.
final class ClusterJob implements PeJob {
    private static final VarHandle EPOCH = JAVA_LONG.varHandle();
    private static final PeState[] STATES = PeState.values();

    /// Before START: the coordinator has its own limits, this one only ends a receive.
    private static final long JOIN_TICK_NANOS = 250_000_000;

    private final JobLink link;
    private final JobClock clock;
    private final String place;
    private final String coordinator;
    private final int pe;
    private final int size;
    private final int usableCpus;
    private final int[] nodes;
    private final long heapBytes;
    private final InetAddress hostAddress;
    private final long silenceNanos;
    private final boolean endsProcess;
    private final MemorySegment epoch = Arena.global().allocate(JAVA_LONG);
    private final JobValues exchanged;

    /// Of each PE; under the lock of this object, as all fields below.
    private final PeState[] states;

    private final int[] exitCodes;
    private final long[] endedAt;
    private final long[] orders;
    private final String[] reasons;
    private int abortCode = -1;

    /// How many states of this PE the coordinator has not repeated to it yet.
    private int unheard;

    /// @param start the message with the numbers of the job
    private ClusterJob(JobLink link, String place, String coordinator, JobFrame start, JobClock clock)
            throws ProtocolException {
        this.link = link;
        this.clock = clock;
        this.place = place;
        this.coordinator = coordinator;
        this.hostAddress = link.localAddress();
        this.pe = start.number();
        this.size = start.number();
        this.heapBytes = start.longNumber();
        this.silenceNanos = link.silenceNanos();
        this.endsProcess = start.number() != 0;
        this.usableCpus = start.number();
        if (size < 1 || size > JobFrame.MAX_PES || pe < 0 || pe >= size) {
            throw new ProtocolException("START names PE " + pe + " of " + size);
        }
        this.nodes = new int[size];
        for (int each = 0; each < size; each++) {
            nodes[each] = start.number();
        }
        start.end();
        this.states = new PeState[size];
        Arrays.fill(states, PeState.STARTING);
        this.exitCodes = new int[size];
        Arrays.fill(exitCodes, UNKNOWN_EXIT_CODE);
        this.endedAt = new long[size];
        this.orders = new long[size];
        this.reasons = new String[size];
        Arrays.fill(reasons, "");
        this.exchanged = new JobValues(pe, size);
    }

    /// Joins the job of a coordinator. Returns when all PEs have joined.
    ///
    /// @param coordinator what has the coordinator, for messages
    /// @param wanted number of the PE, or −1 for any
    /// @param here where this process runs
    /// @param heapBytes symmetric memory that this PE would have by itself
    /// @throws PeFailedException if a PE has ended before all have joined
    /// @throws CoterieException if the coordinator can't be reached, or refuses this process
    static ClusterJob join(
            JobKey key,
            String coordinator,
            int wanted,
            ProcessPlace here,
            long heapBytes,
            Duration timeout,
            JobClock clock) {
        JobLink link = JobLink.connect(key, timeout, clock);
        ClusterJob job = null;
        try {
            link.send(new JobFrame.Builder(Kind.JOIN)
                    .number(wanted)
                    .number(heapBytes)
                    .text(here.node())
                    .number(here.processors())
                    .text(here.affinity())
                    .build());
            job = started(link, key.place(), coordinator, clock);
            Thread.ofPlatform().daemon().name("coterie-job").start(job::receive);
            return job;
        } catch (IOException e) {
            throw new CoterieException("join: the coordinator at " + key.place() + ": " + e.getMessage(), e);
        } finally {
            if (job == null) {
                JobCoordinator.closeSocket(link);
            }
        }
    }

    private static ClusterJob started(JobLink link, String place, String coordinator, JobClock clock)
            throws IOException {
        while (true) {
            link.keepAlive(link.silenceNanos() / CoordinatorLoop.MESSAGES_PER_SILENCE);
            JobFrame frame = link.receive(JOIN_TICK_NANOS);
            if (frame == null) {
                if (clock.nanoTime() - link.heardNanos() > link.silenceNanos()) {
                    throw new SocketTimeoutException("no message came from it for "
                            + Duration.ofNanos(link.silenceNanos()).toMillis() + " ms");
                }
                continue;
            }
            switch (frame.kind()) {
                case START -> {
                    return new ClusterJob(link, place, coordinator, frame, clock);
                }
                case REFUSED ->
                    throw new CoterieException("join: the coordinator at " + place + " refuses: " + frame.text());
                case ABORT -> throw new CoterieException("join: the job was aborted with exit code " + frame.number());
                case STATE -> requireNoEnd(frame);
                case ALIVE, LEFT -> {}
                default -> throw new ProtocolException("it sends " + frame.kind() + " before START");
            }
        }
    }

    private static void requireNoEnd(JobFrame frame) throws ProtocolException {
        int pe = frame.number();
        PeState state = STATES[Math.clamp(frame.number(), 0, STATES.length - 1)];
        int exitCode = frame.number();
        frame.longNumber();
        String reason = frame.text();
        if (state.hasTerminated()) {
            throw new PeFailedException(
                    "join: PE " + pe + " ended before all PEs had joined ("
                            + (exitCode == UNKNOWN_EXIT_CODE ? reason : "exit code " + exitCode) + ")",
                    List.of(pe));
        }
    }

    private void receive() {
        String problem;
        try {
            while (true) {
                JobFrame frame = link.receive(silenceNanos / (2 * CoordinatorLoop.MESSAGES_PER_SILENCE));
                if (frame != null) {
                    handle(frame);
                } else if (clock.nanoTime() - link.heardNanos() > silenceNanos) {
                    problem = "no message came from " + coordinator + " for "
                            + Duration.ofNanos(silenceNanos).toMillis() + " ms";
                    break;
                }
                link.keepAlive(silenceNanos / CoordinatorLoop.MESSAGES_PER_SILENCE);
            }
        } catch (IOException e) {
            problem = "the connection to " + coordinator + " ended: " + e.getMessage();
        }
        JobCoordinator.closeSocket(link);
        lose(problem);
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
            case LEFT -> left(checked(frame.number()), frame.longNumber());
            case ABORT -> aborted(frame.number());
            case REFUSED -> throw new ProtocolException(frame.text());
            default -> throw new ProtocolException("it sends " + frame.kind() + " after START");
        }
    }

    private int checked(int which) throws ProtocolException {
        if (which < 0 || which >= size) {
            throw new ProtocolException("it names PE " + which + " of " + size);
        }
        return which;
    }

    private synchronized void left(int which, long order) {
        orders[which] = order;
        countUp();
    }

    private void enter(int which, PeState state, int exitCode, long order, String reason) {
        synchronized (this) {
            if (states[which].hasTerminated()) {
                return;
            }
            if (which == pe && !state.hasTerminated()) {
                unheard--;
                notifyAll();
                return;
            }
            if (state.hasTerminated()) {
                endedAt[which] = clock.nanoTime();
                exitCodes[which] = exitCode;
                reasons[which] = reason;
                orders[which] = order;
            }
            states[which] = state;
            if (state.hasTerminated()) {
                countUp();
            }
        }
        if (which == pe && state == PeState.FAILED) {
            endLater("this PE counts as failed: " + reason, ProcessEnding.FENCED);
        }
    }

    private void aborted(int exitCode) {
        synchronized (this) {
            if (abortCode >= 0) {
                return;
            }
            abortCode = exitCode & 0xFF;
            countUp();
            notifyAll();
        }
        endLater("the job was aborted with exit code " + (exitCode & 0xFF), exitCode & 0xFF);
    }

    /// The PE has no coordinator any more.
    private void lose(String problem) {
        synchronized (this) {
            notifyAll();
            if (states[pe].hasTerminated()) {
                return;
            }
            boolean isOutside = states[pe] == PeState.CLOSED;
            endedAt[pe] = clock.nanoTime();
            reasons[pe] = problem;
            states[pe] = PeState.FAILED;
            countUp();
            if (isOutside) {
                return; // the job may be over, and the program do something else
            }
        }
        endLater(problem, ProcessEnding.FENCED);
    }

    /// Returns when the latest bytes of the coordinator came.
    long heardNanos() {
        return link.heardNanos();
    }

    /// Ends the connection, as the end of the process does.
    void disconnect() throws IOException {
        link.close();
    }

    private void endLater(String why, int exitCode) {
        if (endsProcess) {
            System.getLogger("coterie").log(System.Logger.Level.WARNING, "PE " + pe + ": " + why);
            ProcessEnding.start(exitCode);
        }
    }

    /// What has changed is readable before.
    private void countUp() {
        EPOCH.getAndAdd(epoch, 0L, 1L);
    }

    /// Sends a message. A PE that has lost its coordinator counts as failed already, so that an error has no other
    /// consequence.
    private void send(ByteBuffer message) {
        try {
            link.send(message);
        } catch (IOException e) {
            lose("the connection to " + coordinator + " ended: " + e.getMessage());
        }
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
        synchronized (this) {
            if (states[pe].hasTerminated() || states[pe] == state) {
                return;
            }
            states[pe] = state;
            unheard++;
        }
        send(new JobFrame.Builder(Kind.STATE).number(state.ordinal()).build());
        if (state == PeState.CLOSED) {
            awaitAnswer(() -> unheard == 0);
        }
    }

    @Override
    public synchronized PeState state(int other) {
        return states[other];
    }

    @Override
    public synchronized int exitCode(int other) {
        return exitCodes[other];
    }

    @Override
    public synchronized long endedAtNanos(int other) {
        return endedAt[other];
    }

    @Override
    public long epochAddress() {
        return epoch.address();
    }

    @Override
    public void failed(int other, String why) {
        if (!state(other).hasTerminated()) {
            send(new JobFrame.Builder(Kind.FAILED).number(other).text(why).build());
        }
    }

    @Override
    public synchronized Optional<String> failureReason(int other) {
        return exitCodes[other] == UNKNOWN_EXIT_CODE && !reasons[other].isEmpty()
                ? Optional.of(reasons[other])
                : Optional.empty();
    }

    @Override
    public synchronized long endOrder(int other) {
        return orders[other];
    }

    @Override
    public boolean ordersEnds() {
        return true;
    }

    @Override
    public void leave() {
        send(new JobFrame.Builder(Kind.LEAVE).build());
    }

    /// Returns when the coordinator has the request, since the caller may end its process then.
    @Override
    public void abort(int exitCode) {
        send(new JobFrame.Builder(Kind.ABORT).number(exitCode).build());
        awaitAnswer(() -> abortCode >= 0);
    }

    /// Waits until the coordinator has answered, or this PE has lost it. What a process has sent just before its end
    /// may be lost: the end resets a connection on which messages for the process have arrived.
    private void awaitAnswer(BooleanSupplier isHere) {
        boolean isInterrupted = false;
        long start = clock.nanoTime();
        synchronized (this) {
            long left = silenceNanos;
            while (!isHere.getAsBoolean() && !states[pe].hasTerminated() && left > 0) {
                try {
                    wait(clock.blockMillis(left));
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
                left = silenceNanos - (clock.nanoTime() - start);
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized OptionalInt abortCode() {
        return abortCode < 0 ? OptionalInt.empty() : OptionalInt.of(abortCode);
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
