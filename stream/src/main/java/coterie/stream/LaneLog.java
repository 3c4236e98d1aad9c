// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.SymmetricMemory;
import coterie.spi.OperationLog;
import org.jspecify.annotations.Nullable;

/// Tells the log of a lane what the lane has pending, so that a diagnosis can explain why it waits.
///
/// An operation that runs at once is never written: the log learns that the lane has one more, and that one more
/// is over. The lane is written when the hook finds that nothing of it moves, and before code of the program runs.
/// ```
///  issue        the lane's number of operations
///  end          a label, in an array of the JVM
///  nothing moves, or code of the program runs
///               the latest labels, and all pending operations that are not written yet
/// ```
/// So a reader knows all pending operations of a PE that waits, and of one that runs other code, that it does.
final class LaneLog {
    /// Operations that are over and of which reports tell; a power of two.
    private static final int HISTORY = 32;

    private final StreamEngine engine;
    private final OperationRecorder recorder;
    private final OperationRecorder pendingRecorder;
    private final OperationLane lane;
    private final OperationLog log;

    /// Pending operations that the log has room for.
    private final int capacity;

    /// Whether each operation is written at its call, too.
    private final boolean writesEach;

    // Only the thread that runs the hook uses these.

    /// What the latest operations were that are over: types, or texts of collectives.
    private final int[] over = new int[HISTORY];

    /// The operations before it are written, or over.
    private long written;

    /// The first pending operation when the log has last got a time.
    private long heldAt = -1;

    private LaneLog(StreamEngine engine, OperationLane lane, OperationLog log) {
        this.engine = engine;
        this.recorder = engine.recorder();
        this.pendingRecorder = engine.pendingRecorder();
        this.lane = lane;
        this.log = log;
        this.capacity = log.capacity();
        this.writesEach = log.needsEach();
    }

    /// Returns the log of a new lane, or null if no process could read it.
    static @Nullable LaneLog open(StreamEngine engine, StreamLane lane) {
        OperationLog log = lane.kind() == StreamLane.Kind.KERNEL
                ? engine.recorder().openHost(lane.name)
                : engine.recorder().openStream(lane.name, lane.queue);
        return log == null ? null : new LaneLog(engine, lane, log);
    }

    /// Returns the number of the lane among the recorded ones.
    int number() {
        return log.lane();
    }

    /// Notes a new operation. The caller holds the lock.
    void issue(long position, StreamOperation operation) {
        recorder.number(log, position, operation);
        if (writesEach) {
            recorder.issue(log, position, operation);
        } else {
            log.issued(position + 1);
        }
    }

    /// Notes that an operation has its queue and its slot. The caller holds the lock.
    void started(long position) {
        log.started(position);
    }

    /// Notes that the first pending operation is about to run code of the program. Only the thread that runs the
    /// hook calls it.
    void runs(long position, StreamOperation operation) {
        if (written <= position) {
            log.complete(position);
            hold(position);
            writePending(position, position + 1, operation);
        }
    }

    /// Notes that the first pending operation has changed; only the thread that runs the hook calls it.
    void changed(StreamOperation operation) {
        pendingRecorder.write(log, lane.completed(), operation);
    }

    /// Notes that the first pending operation is over. Only the thread that runs the hook calls it.
    void ended(long position, StreamOperation operation) {
        over[(int) position & HISTORY - 1] =
                operation.object instanceof CachedRequest request ? request.label() : operation.type.ordinal();
        if (writesEach) {
            log.complete(position + 1); // its end is the begin of the next one
        }
    }

    /// Notes what is over, and when nothing moves, what is pending. Only the thread that runs the hook calls it.
    ///
    /// @param position the operations that are over
    void advanced(long position, boolean hasMoved, OperationQueue operations) {
        if (hasMoved) {
            log.complete(position);
            return;
        }
        if (heldAt != position) {
            hold(position);
        }
        long end = Math.min(lane.position(), position + capacity);
        if (written < end) {
            writePending(position, end, operations.peek());
        }
    }

    /// Notes that the lane is at an operation that takes its time.
    private void hold(long position) {
        heldAt = position;
        log.since(engine.roundNanos());
    }

    private void writePending(long first, long end, @Nullable StreamOperation operation) {
        for (long each = Math.max(written, first - HISTORY); each < first; each++) {
            pendingRecorder.writeOver(log, each, over[(int) each & HISTORY - 1]);
        }
        StreamOperation pending = operation;
        for (long each = first; each < end && pending != null; each++) {
            if (each >= written) {
                pendingRecorder.write(log, each, pending);
            }
            pending = pending.next;
        }
        written = end;
    }

    /// Notes where the program has captured an operation. The caller holds the lock.
    void captured(StreamOperation operation, String site) {
        recorder.captured(log, operation, site);
    }

    /// Returns where a block or slice begins, in bytes from the begin of symmetric memory.
    long offset(SymmetricMemory memory) {
        return log.offset(memory);
    }

    /// Returns how reports name the block of a block or slice.
    String allocationText(SymmetricMemory memory) {
        return log.allocationText(memory);
    }

    /// Numbers the collectives of a graph's launch. The caller holds the lock.
    void launched(GraphRecords graph, StreamOperation launch) {
        graph.issue(launch, log);
    }

    /// Notes the collectives of an operation that does not run. Only the thread that runs the hook calls it.
    void skip(StreamOperation operation, String cause) {
        if (operation.object instanceof CachedRequest || operation.object instanceof StreamGraph) {
            synchronized (engine) {
                OperationRecorder.skip(log, operation, cause);
            }
        }
    }

    void close() {
        log.close();
    }
}
