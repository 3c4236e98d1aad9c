// SPDX-License-Identifier: Apache-2.0

package coterie.loopback;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// A job without a control segment: everything that a PE knows of it comes through one connection to a
/// [KeyValueServer], which a thread reads.
final class KeyValueJob implements PeJob {
    private static final VarHandle EPOCH = JAVA_LONG.varHandle();

    private final int pe;
    private final int size;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final MemorySegment epoch = Arena.global().allocate(JAVA_LONG);
    private final AtomicReferenceArray<PeState> states;
    private final long[] endedAt;
    private final Map<Integer, String> reasons = new ConcurrentHashMap<>();
    private final Map<String, byte[]> mine = new TreeMap<>();

    /// Values of all PEs: those of the latest complete fence, and those that have arrived of the next one.
    private byte[][] values;

    private byte[][] arriving;
    private int arrived;
    private long begun;
    private long complete;
    private volatile int abortCode = -1;

    KeyValueJob(int port, int pe, int size) throws IOException {
        this.pe = pe;
        this.size = size;
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
        this.states = new AtomicReferenceArray<>(size);
        this.endedAt = new long[size];
        this.values = new byte[size][0];
        this.arriving = new byte[size][];
        for (int other = 0; other < size; other++) {
            states.set(other, PeState.STARTING);
        }
        out.writeInt(pe);
        out.flush();
        Thread.ofPlatform().daemon().name("key-value job").start(this::receive);
    }

    static byte[] encoded(PeState state) {
        return state.name().getBytes(StandardCharsets.UTF_8);
    }

    private void receive() {
        try {
            while (true) {
                int kind = in.readInt();
                int subject = in.readInt();
                byte[] bytes = in.readNBytes(in.readInt());
                switch (kind) {
                    case KeyValueServer.VALUES -> arrive(subject, bytes);
                    case KeyValueServer.STATE ->
                        enter(subject, PeState.valueOf(new String(bytes, StandardCharsets.UTF_8)));
                    default -> {
                        abortCode = bytes[0] & 0xFF;
                        EPOCH.getAndAdd(epoch, 0L, 1L);
                    }
                }
            }
        } catch (EOFException e) {
            abortCode = 1; // the server has ended, and with it the job
            EPOCH.getAndAdd(epoch, 0L, 1L);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void arrive(int from, byte[] bytes) {
        arriving[from] = bytes;
        if (++arrived == size) {
            values = arriving;
            arriving = new byte[size][];
            arrived = 0;
            complete++;
        }
    }

    private synchronized void enter(int which, PeState state) {
        if (!states.get(which).hasTerminated()) {
            endedAt[which] = System.nanoTime();
            states.set(which, state);
            if (state.hasTerminated()) {
                EPOCH.getAndAdd(epoch, 0L, 1L);
            }
        }
    }

    private synchronized void send(int kind, int subject, byte[] bytes) {
        try {
            out.writeInt(kind);
            out.writeInt(subject);
            out.writeInt(bytes.length);
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
        return "process " + ProcessHandle.current().pid() + " of a key-value job";
    }

    @Override
    public int node(int other) {
        return other; // no two share memory
    }

    @Override
    public long heapBytes() {
        return 16 << 20;
    }

    @Override
    public int usableCpus() {
        return 1;
    }

    @Override
    public void state(PeState state) {
        enter(pe, state);
        send(KeyValueServer.STATE, pe, encoded(state));
    }

    @Override
    public PeState state(int other) {
        return states.get(other);
    }

    @Override
    public int exitCode(int other) {
        return states.get(other) == PeState.ENDED ? 0 : UNKNOWN_EXIT_CODE;
    }

    @Override
    public long endedAtNanos(int other) {
        return endedAt[other];
    }

    @Override
    public long epochAddress() {
        return epoch.address();
    }

    @Override
    public void failed(int other, String why) {
        reasons.putIfAbsent(other, why);
        enter(other, PeState.FAILED);
        send(KeyValueServer.STATE, other, encoded(PeState.FAILED));
    }

    @Override
    public Optional<String> failureReason(int other) {
        return Optional.ofNullable(reasons.get(other));
    }

    @Override
    public void abort(int exitCode) {
        send(KeyValueServer.ABORT, pe, new byte[] {(byte) exitCode});
    }

    @Override
    public OptionalInt abortCode() {
        return abortCode < 0 ? OptionalInt.empty() : OptionalInt.of(abortCode);
    }

    @Override
    public synchronized void put(String key, byte[] value) {
        mine.put(key, value.clone());
    }

    @Override
    public long valueBytes() {
        return 1 << 20;
    }

    @Override
    public synchronized long fence() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (DataOutputStream encoded = new DataOutputStream(all)) {
            for (Map.Entry<String, byte[]> each : mine.entrySet()) {
                encoded.writeUTF(each.getKey());
                encoded.writeInt(each.getValue().length);
                encoded.write(each.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        send(KeyValueServer.VALUES, pe, all.toByteArray());
        return ++begun;
    }

    @Override
    public synchronized boolean isFenced(long ticket) {
        return complete >= ticket;
    }

    @Override
    public synchronized Optional<byte[]> get(int other, String key) {
        try (DataInputStream encoded = new DataInputStream(new ByteArrayInputStream(values[other]))) {
            while (encoded.available() > 0) {
                boolean isFound = encoded.readUTF().equals(key);
                byte[] value = encoded.readNBytes(encoded.readInt());
                if (isFound) {
                    return Optional.of(value);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(Arrays.toString(values[other]), e);
        }
    }
}
