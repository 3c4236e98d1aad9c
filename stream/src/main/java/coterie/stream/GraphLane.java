// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.spi.OperationLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a graph has captured from one stream.
final class GraphLane extends OperationLane {
    private final StreamGraph graph;
    private final StreamLane source;
    private final List<StreamOperation> operations = new ArrayList<>();
    private final List<String> sites = new ArrayList<>();

    // What a diagnosis knows; only the thread that runs the hook uses it.
    private @Nullable OperationLog log;
    private long recordedBefore;
    private int recordedAt;

    /// The launch under way is recorded, and the log wants the end of each operation.
    private boolean recordsEach;

    /// Operations of the launch under way that are over; only the thread that runs the hook writes it.
    private volatile int cursor;

    GraphLane(StreamGraph graph, int slot, StreamLane source) {
        super(slot, source.name);
        this.graph = graph;
        this.source = source;
    }

    StreamGraph graph() {
        return graph;
    }

    StreamLane source() {
        return source;
    }

    void append(StreamOperation operation) {
        operation.order = graph.nextOrder();
        String site = operation.object instanceof CachedRequest request
                ? request.site()
                : operations.size() < OperationRecorder.SITES ? RequestCache.callSite() : "";
        sites.add(site);
        LaneLog known = source.log();
        if (known != null) {
            known.captured(operation, site);
        }
        operations.add(operation);
    }

    /// Returns the name of the lane in reports.
    String recordedName() {
        return name + ".graph";
    }

    /// Returns the captured operations, in order.
    List<StreamOperation> operations() {
        return operations;
    }

    /// Returns where the program has captured an operation; empty if unknown.
    String site(int position) {
        return sites.get(position);
    }

    /// Lets a diagnosis know of the lane in this launch. The caller holds the lock.
    void open(OperationRecorder recorder) {
        if (log == null) {
            log = recorder.openGraph(recordedName());
        }
        recordedAt = -1;
        recordsEach = log != null && log.needsEach();
    }

    /// Records the pending operations, unless they are those of the latest call. The caller holds the lock.
    void publish(OperationRecorder recorder) {
        OperationLog known = log;
        if (known == null || recordedAt == cursor) {
            return;
        }
        recordedAt = cursor;
        known.complete(recordedBefore + cursor);
        known.since(System.nanoTime());
        int end = Math.min(operations.size(), cursor + known.capacity());
        for (int i = cursor; i < end; i++) {
            recorder.publish(known, recordedBefore + i, operations.get(i));
        }
        if (end < operations.size()) {
            recorder.publish(known, position() - 1 + recordedBefore, operations.getLast());
        }
    }

    /// The launch that was recorded is over.
    void ended() {
        if (log != null) {
            recordsEach = false;
            recordedBefore += operations.size();
            log.complete(recordedBefore);
        }
    }

    void close() {
        if (log != null) {
            log.close();
            log = null;
        }
    }

    @Override
    int recordedLane() {
        return log == null ? UNRECORDED : log.lane();
    }

    @Override
    long recordedPosition(long position) {
        return recordedBefore + position;
    }

    @Override
    long position() {
        return operations.size();
    }

    @Override
    long completed() {
        return cursor;
    }

    @Override
    @Nullable
    OperationFailure failureBefore(long position) {
        return null; // a failure ends the launch
    }

    @Override
    long observed() {
        return 0;
    }

    /// Adds the operations that wait for a value of a word, or store one.
    void find(GraphWord word, List<StreamOperation> found) {
        for (StreamOperation operation : operations) {
            if (word.isIn(operation)) {
                found.add(operation);
            }
        }
    }

    /// Makes the operations run anew, with the values that words have come to.
    void rewind() {
        cursor = 0;
        for (int i = 0; i < operations.size(); i++) {
            StreamOperation operation = operations.get(i);
            operation.rewind();
            GraphWord.advance(operation);
        }
    }

    /// Runs operations as far as possible, and returns whether one is over.
    ///
    /// @param stream that has launched the graph
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    boolean advance(StreamLane stream) {
        int first = cursor;
        while (cursor < operations.size()) {
            StreamOperation operation = operations.get(cursor);
            boolean isOver;
            try {
                isOver = operation.type.step().poll(operation, stream);
            } catch (Throwable e) {
                throw new UpstreamFailure(this, new OperationFailure(cursor, operation.toString(), e));
            }
            if (!isOver) {
                break;
            }
            cursor = cursor + 1;
            if (recordsEach) {
                requireNonNull(log).complete(recordedBefore + cursor);
            }
        }
        return cursor > first;
    }

    boolean isOver() {
        return cursor == operations.size();
    }
}
