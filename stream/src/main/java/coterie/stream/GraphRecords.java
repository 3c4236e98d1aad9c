// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;
import java.util.ArrayList;
import java.util.Comparator;
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

    /// Made once the capture has ended.
    private volatile @Nullable List<StreamOperation> collectives;

    /// @param lanes of the graph; the first one is that in which the capture has begun
    GraphRecords(StreamEngine engine, List<GraphLane> lanes) {
        this.engine = engine;
        this.lanes = lanes;
    }

    /// Returns the collectives of the graph, in the order of their calls, which is also that of their runs: a capture
    /// orders those of a team.
    List<StreamOperation> collectives() {
        List<StreamOperation> known = collectives;
        if (known == null) {
            known = new ArrayList<>();
            for (GraphLane lane : lanes) {
                known.addAll(lane.operations());
            }
            known.removeIf(each -> !(each.object instanceof CachedRequest));
            known.sort(Comparator.comparingLong(each -> each.order));
            collectives = known;
        }
        return known;
    }

    /// Numbers the collectives of a new launch among those of their teams. The caller holds the lock.
    void issue(StreamOperation launch, OperationLog log) {
        List<StreamOperation> all = collectives();
        if (launch.sequences.length < all.size()) {
            launch.sequences = new long[all.size()];
        }
        for (int i = 0; i < all.size(); i++) {
            CachedRequest request = (CachedRequest) requireNonNull(all.get(i).object);
            request.nameFor(log);
            launch.sequences[i] = log.nextCollective(request.teamText());
        }
    }

    /// The collectives of a launch, numbered by [#issue], are skipped. The caller holds the lock.
    void skip(OperationLog log, String cause) {
        List<StreamOperation> all = collectives();
        for (int i = 0; i < all.size(); i++) {
            CachedRequest request = (CachedRequest) requireNonNull(all.get(i).object);
            log.skipCollective(request.teamText(), log.text(cause));
        }
    }

    /// A launch begins.
    void begin(StreamOperation launch) {
        List<StreamOperation> all = collectives();
        for (int i = 0; i < all.size() && i < launch.sequences.length; i++) {
            all.get(i).sequence = launch.sequences[i];
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
                lanes.get(i).publish(engine.pendingRecorder());
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
        record.setAction(OperationRecord.Action.RUN);
        if (published == launch) {
            record.setAction(OperationRecord.Action.AFTER);
            record.setObject(lanes.getFirst().recordedLane());
            record.setValue(lanes.getFirst().recordedPosition(lanes.getFirst().position()));
        }
    }

    /// The graph is closed, and no launch of it is left.
    void close() {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).close();
        }
    }
}
