// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/// A job whose PEs are objects of one JVM, each on a node of its own, in a network of one address. No launcher
/// knows how they end.
public final class ObjectJob {
    private static final byte[] KEY = "a key that the PEs of this job have".getBytes(StandardCharsets.US_ASCII);

    private final int size;
    private final InetAddress host;
    private final MemorySegment epoch = Arena.ofAuto().allocate(JAVA_LONG);
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();
    private final Map<Integer, PeState> states = new ConcurrentHashMap<>();
    private final Map<Integer, String> reasons = new ConcurrentHashMap<>();

    /// @param host the address of all nodes
    public ObjectJob(int size, InetAddress host) {
        this.size = size;
        this.host = host;
    }

    /// Returns the key that all PEs share, whatever the purpose.
    public static byte[] key() {
        return KEY.clone();
    }

    /// Returns what a PE knows of the job.
    public PeJob pe(int pe) {
        return new Member(pe);
    }

    /// Ends a PE for all others, as a launcher or a peer does.
    public void end(int pe, String why) {
        if (states.put(pe, PeState.FAILED) != PeState.FAILED) {
            reasons.put(pe, why);
            JAVA_LONG.varHandle().getAndAdd(epoch, 0L, 1L);
        }
    }

    /// A PE's view of the job.
    private final class Member implements PeJob {
        private final int pe;

        Member(int pe) {
            this.pe = pe;
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
            return "an object of a test";
        }

        @Override
        public int node(int other) {
            return other;
        }

        @Override
        public Optional<InetAddress> hostAddress() {
            return Optional.of(host);
        }

        @Override
        public Optional<byte[]> sharedKey(String purpose) {
            return Optional.of(key());
        }

        @Override
        public long heapBytes() {
            return 1 << 20;
        }

        @Override
        public int usableCpus() {
            return 1;
        }

        @Override
        public void state(PeState state) {
            states.put(pe, state);
        }

        @Override
        public PeState state(int other) {
            return states.getOrDefault(other, PeState.RUNNING);
        }

        @Override
        public int exitCode(int other) {
            return UNKNOWN_EXIT_CODE;
        }

        @Override
        public long endedAtNanos(int other) {
            return 0;
        }

        @Override
        public long epochAddress() {
            return epoch.address();
        }

        @Override
        public void failed(int other, String why) {
            end(other, why);
        }

        @Override
        public Optional<String> failureReason(int other) {
            return Optional.ofNullable(reasons.get(other));
        }

        @Override
        public void abort(int exitCode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OptionalInt abortCode() {
            return OptionalInt.empty();
        }

        @Override
        public void put(String key, byte[] value) {
            values.put(pe + key, value);
        }

        @Override
        public long valueBytes() {
            return 16384;
        }

        @Override
        public long fence() {
            return 0;
        }

        @Override
        public boolean isFenced(long ticket) {
            return true;
        }

        @Override
        public Optional<byte[]> get(int other, String key) {
            return Optional.ofNullable(values.get(other + key));
        }
    }
}
