// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.record.PeRecords;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.Tracing;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The job of a PE, and how its PEs compare their settings: by words of the control segment, or by values that
/// they exchange in the fence of a join if there is no segment.
final class WorldJob {
    private static final String CONDUIT = "coterie.conduit";
    private static final String THRESHOLD = "coterie.tree_sync_above";
    private static final String SETTINGS = "coterie.settings";

    final PeJob job;
    final StatusPage page;
    final @Nullable JobSegment segment;

    /// Of the mappings of symmetric memory: the global one, or one that a collector ends.
    final Arena memory;

    private @Nullable PeRecords records;
    private @Nullable String mappingRefusal;
    private @Nullable PeTracer tracer;

    private WorldJob(PeJob job, StatusPage page, @Nullable JobSegment segment, Arena memory) {
        this.job = job;
        this.page = page;
        this.segment = segment;
        this.memory = memory;
    }

    static WorldJob of(JobSegment segment, int pe, String description) {
        return new WorldJob(new SegmentJob(segment, pe, description), segment.status(pe), segment, Arena.global());
    }

    /// @param page of this PE
    static WorldJob of(PeJob job, StatusPage page) {
        return of(job, page, Arena.global());
    }

    /// @param page of this PE
    /// @param memory of the mappings of symmetric memory
    static WorldJob of(PeJob job, StatusPage page, Arena memory) {
        return new WorldJob(job, page, null, memory);
    }

    /// Throws if this PE can't open a world.
    void requireJoinable() {
        PeState state = job.state(job.pe());
        if (state == PeState.RUNNING) {
            throw refusal("process " + page.get(StatusField.PID)
                    + " has joined as this PE; one process can be a PE at a time");
        }
        if (state == PeState.FAILED) {
            throw refusal("a peer has reported that this PE has failed, since it could not reach it; end this process");
        }
        if (page.get(StatusField.NEXT_SEQUENCE) == StatusField.CLOSED_ALONE) {
            throw refusal("this PE has closed its world without the other PEs, whose operations of that world may still"
                    + " arrive; its close has named the cause. Go on with team().survivors() before the close, or start"
                    + " a new job");
        }
    }

    private IllegalStateException refusal(String why) {
        return new IllegalStateException("join on PE " + job.pe() + ", " + job.description() + ": " + why);
    }

    /// Returns the records of this PE, which all its worlds share; null if the job has no control segment.
    synchronized @Nullable PeRecords records() {
        JobSegment shared = segment;
        if (records == null && shared != null) {
            int pe = job.pe();
            records = new PeRecords(
                    shared.recordsBase(pe),
                    (offset, length) -> shared.reserveRecords(pe, offset, length),
                    HeapOffsets::offsetOf,
                    HeapOffsets::writersOf,
                    HeapOffsets::allocationOf);
        }
        return records;
    }

    /// Returns what records the operations of this PE for all its worlds, in a traced job with a control segment.
    synchronized PeTracer tracer() {
        PeTracer known = tracer;
        if (known == null) {
            known = Tracing.ON && segment != null ? Tracing.open(job.pe(), job.size()) : PeTracer.off();
            tracer = known;
        }
        return known;
    }

    /// Publishes the settings of this PE, before the fence of a join.
    ///
    /// @param hashes of [coterie.internal.memory.SelectionSettings#NAMES]
    void publish(String conduit, int threshold, int[] hashes) {
        if (segment == null) {
            ByteBuffer words = ByteBuffer.allocate(hashes.length * Integer.BYTES);
            words.asIntBuffer().put(hashes);
            job.put(CONDUIT, conduit.getBytes(StandardCharsets.UTF_8));
            job.put(
                    THRESHOLD,
                    ByteBuffer.allocate(Integer.BYTES).putInt(threshold).array());
            job.put(SETTINGS, words.array());
        }
    }

    /// Returns why the PEs of this job can't map each other's memory; empty if they can, null if they have not tried.
    synchronized @Nullable String mappingRefusal() {
        return mappingRefusal;
    }

    /// Keeps what the PEs have found by a [MappingProof].
    synchronized void mappingRefusal(String refusal) {
        mappingRefusal = refusal;
    }

    /// Returns whether a PE has published this conduit, after the fence of a job without a segment.
    boolean hasConduit(int pe, String conduit) {
        return new String(value(pe, CONDUIT), StandardCharsets.UTF_8).equals(conduit);
    }

    /// Returns whether the PE that has joined first has the same conduit; after the fence if there is no segment.
    boolean agreesOnConduit(String conduit) {
        return segment == null ? hasConduit(0, conduit) : segment.agreeOnConduit(conduit);
    }

    /// Returns the tree threshold of the PE that has joined first; after the fence if there is no segment.
    int agreedTreeThreshold(int threshold) {
        return segment == null
                ? ByteBuffer.wrap(value(0, THRESHOLD)).getInt()
                : segment.agreeOnTreeThreshold(threshold);
    }

    /// Compares the settings of this PE with those of the PE that opened this world first.
    void compareSettings(int[] hashes) {
        if (segment != null) {
            long world = page.get(StatusField.WORLDS);
            long others = 0;
            for (int setting = 0; setting < hashes.length; setting++) {
                others |= segment.compareSetting(setting, world, hashes[setting]) ? 0 : 1L << setting;
            }
            page.set(StatusField.OTHER_SETTINGS, others);
        }
    }

    /// Returns a bit for each setting in which a PE differs from the first of the world.
    long otherSettings(int pe) {
        if (segment != null) {
            return segment.status(pe).get(StatusField.OTHER_SETTINGS);
        }
        ByteBuffer first = ByteBuffer.wrap(value(0, SETTINGS));
        ByteBuffer its = ByteBuffer.wrap(value(pe, SETTINGS));
        long others = 0;
        for (int setting = 0; its.hasRemaining(); setting++) {
            others |= first.getInt() == its.getInt() ? 0 : 1L << setting;
        }
        return others;
    }

    private byte[] value(int pe, String key) {
        return job.get(pe, key)
                .orElseThrow(() -> new IllegalStateException("join on PE " + job.pe() + ", " + job.description()
                        + ": after the fence the job has no value \"" + key + "\" of PE " + pe
                        + "; mend the implementation of coterie.spi.PeJob"));
    }
}
