// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.spi.OperationLog;
import org.jspecify.annotations.Nullable;

/// Tells the log of a lane what the lane has pending, so that a diagnosis can explain why it waits.
final class LaneLog {
    private final StreamEngine engine;
    private final OperationLane lane;
    private final OperationLog log;

    /// Whether the log does not have all operations that it has room for; the lock guards writes.
    private volatile boolean hasUnrecorded;

    /// The first pending operation when the hook has last written what was missing.
    private long recordedAt = -1;

    private LaneLog(StreamEngine engine, OperationLane lane, OperationLog log) {
        this.engine = engine;
        this.lane = lane;
        this.log = log;
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
        if (position - lane.completed() >= log.capacity()) {
            hasUnrecorded = true;
        }
        engine.recorder().issue(log, position, operation);
    }

    /// Notes that an operation has its queue and its slot. The caller holds the lock.
    void started(long position) {
        log.started(position);
    }

    /// Notes that the first pending operation has changed; only the thread that runs the hook calls it.
    void changed(StreamOperation operation) {
        synchronized (engine) {
            engine.recorder().write(log, lane.completed(), operation);
        }
    }

    /// Notes what is over, and when nothing moves, what found no room at its call. Only the thread that runs the
    /// hook calls it.
    ///
    /// @param position the operations that are over
    void advanced(long position, boolean hasMoved, OperationQueue operations) {
        if (hasMoved) {
            log.complete(position);
        } else if (hasUnrecorded && recordedAt != position) {
            recordedAt = position;
            synchronized (engine) {
                recordPending(position, operations.peek());
            }
        }
    }

    private void recordPending(long first, @Nullable StreamOperation operation) {
        long position = first;
        StreamOperation each = operation;
        while (each != null && position - first < log.capacity()) {
            engine.recorder().write(log, position, each);
            each = each.next;
            position++;
        }
        hasUnrecorded = each != null;
    }

    /// Notes where the program has captured an operation. The caller holds the lock.
    void captured(long position, StreamOperation operation) {
        engine.recorder().captured(log, position, operation);
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
