// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the operations of a graph's launch visible to a diagnosis once they wait: each captured stream gets a lane
/// of its own in the records, and the launch comes after the end of the first one, which all others have joined.
///
/// A launch that never waits writes nothing.
final class GraphRecords {
    private final StreamEngine engine;
    private final List<GraphLane> lanes;

    // Only the thread that runs the hook uses these.
    private @Nullable StreamOperation published;

    /// @param lanes of the graph; the first one is that in which the capture has begun
    GraphRecords(StreamEngine engine, List<GraphLane> lanes) {
        this.engine = engine;
        this.lanes = lanes;
    }

    /// Numbers the collectives of a new launch among those of their teams. The caller holds the lock.
    void issue(StreamOperation launch, OperationLog log) {
        int count = 0;
        for (int i = 0; i < lanes.size(); i++) {
            count += lanes.get(i).collectives();
        }
        long[] sequences = launch.sequences;
        if (sequences.length < count) {
            sequences = new long[count];
            launch.sequences = sequences;
        }
        int next = 0;
        for (int i = 0; i < lanes.size(); i++) {
            next = lanes.get(i).number(sequences, next, log);
        }
    }

    /// The collectives of a launch, numbered by [#issue], are skipped. The caller holds the lock.
    void skip(OperationLog log, String cause) {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).skip(log, cause);
        }
    }

    /// A launch begins.
    void begin(StreamOperation launch) {
        int next = 0;
        for (int i = 0; i < lanes.size(); i++) {
            next = lanes.get(i).take(launch.sequences, next);
        }
    }

    /// A launch waits, and nothing of it has moved at the last poll.
    @SuppressWarnings("ReferenceEquality") // the very launch
    void waits(StreamOperation launch, StreamLane stream) {
        LaneLog log = stream.log();
        if (log == null) {
            return;
        }
        boolean isNew = published != launch;
        published = launch;
        synchronized (engine) {
            for (int i = 0; isNew && i < lanes.size(); i++) {
                lanes.get(i).open(engine.recorder());
            }
            for (int i = 0; i < lanes.size(); i++) {
                lanes.get(i).publish(engine.recorder());
            }
        }
        if (isNew) {
            log.changed(launch);
        }
    }

    /// A launch is over.
    void end() {
        if (published != null) {
            published = null;
            for (int i = 0; i < lanes.size(); i++) {
                lanes.get(i).ended();
            }
        }
    }

    /// Says what a launch waits for: code of the program may run in it, as long as its operations are not known.
    @SuppressWarnings("ReferenceEquality") // the very launch
    void describe(StreamOperation launch, OperationRecord record) {
        record.action = OperationRecord.Action.RUN;
        if (published == launch) {
            record.action = OperationRecord.Action.AFTER;
            record.object = lanes.getFirst().recordedLane();
            record.value = lanes.getFirst().recordedPosition(lanes.getFirst().position());
        }
    }

    /// The graph is closed, and no launch of it is left.
    void close() {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).close();
        }
    }
}
