// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import coterie.CoterieException;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/// A PE's view of its job's control segment.
public final class SegmentJob implements PeJob {
    private static final String DIGEST = "SHA-256";

    private final JobSegment segment;
    private final int pe;
    private final String description;
    private final ValueAreas values;

    /// Whether the pages of this PE's values are reserved.
    private boolean hasValues;

    /// Reasons of failures that this PE has reported.
    private final Map<Integer, String> reasons = new ConcurrentHashMap<>();

    /// @param description of the PE, for messages
    public SegmentJob(JobSegment segment, int pe, String description) {
        this.segment = segment;
        this.pe = pe;
        this.description = description;
        this.values = new ValueAreas(segment.valuesBase(), segment.size(), pe);
    }

    @Override
    public int pe() {
        return pe;
    }

    @Override
    public int size() {
        return segment.size();
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public int node(int other) {
        return segment.node(other);
    }

    @Override
    public Optional<InetAddress> hostAddress() {
        return Optional.of(InetAddress.getLoopbackAddress());
    }

    @Override
    public long heapBytes() {
        return segment.heapBytes();
    }

    @Override
    public int usableCpus() {
        return segment.usableCpus();
    }

    @Override
    public int sharingPes() {
        return size(); // whatever nodes users have told them apart by, all run on this machine
    }

    @Override
    public void state(PeState state) {
        StatusPage page = segment.status(pe);
        if (!page.state().hasTerminated()) {
            page.state(state);
        }
    }

    @Override
    public PeState state(int other) {
        return segment.status(other).state();
    }

    @Override
    public int exitCode(int other) {
        return (int) segment.status(other).get(StatusField.EXIT_CODE);
    }

    @Override
    public long endedAtNanos(int other) {
        return segment.status(other).get(StatusField.ENDED_AT);
    }

    @Override
    public long epochAddress() {
        return segment.epochAddress();
    }

    @Override
    public void failed(int other, String why) {
        reasons.putIfAbsent(other, why);
        segment.end(other, UNKNOWN_EXIT_CODE);
    }

    @Override
    public Optional<String> failureReason(int other) {
        return exitCode(other) == UNKNOWN_EXIT_CODE ? Optional.ofNullable(reasons.get(other)) : Optional.empty();
    }

    @Override
    public long endOrder(int other) {
        return segment.status(other).get(StatusField.ENDED_ORDER);
    }

    @Override
    public boolean ordersEnds() {
        return true;
    }

    @Override
    public void leave() {
        segment.leave(pe);
    }

    @Override
    public void abort(int exitCode) {
        segment.abort(pe, exitCode);
    }

    @Override
    public OptionalInt abortCode() {
        return segment.abortCode();
    }

    @Override
    public long stuckAtNanos() {
        return segment.stuckAtNanos();
    }

    @Override
    public Optional<byte[]> sharedKey(String purpose) {
        try {
            MessageDigest digest = MessageDigest.getInstance(DIGEST);
            digest.update(segment.secret()); // of a fixed length, so that secret and purpose do not run into each other
            return Optional.of(digest.digest(("coterie key " + purpose).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has " + DIGEST, e);
        }
    }

    @Override
    public synchronized void put(String key, byte[] value) {
        if (!hasValues) {
            segment.reserveValues(pe).ifPresent(refusal -> {
                throw new CoterieException("put of the value \"" + key + "\" on PE " + pe + ": " + refusal);
            });
            hasValues = true;
        }
        values.put(key, value);
    }

    @Override
    public long valueBytes() {
        return ValueAreas.VALUE_BYTES;
    }

    @Override
    public long fence() {
        return values.fence();
    }

    @Override
    public boolean isFenced(long ticket) {
        return values.isFenced(ticket);
    }

    @Override
    public Optional<byte[]> get(int other, String key) {
        return values.get(other, key);
    }
}
