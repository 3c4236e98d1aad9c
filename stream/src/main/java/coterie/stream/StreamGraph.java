// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Team;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations that streams have captured instead of run, for any number of launches. Answers to `cudaGraph_t` and
/// `cudaGraphExec_t`.
///
/// ```java
/// stream.beginCapture();
/// stream.put(…);                // is captured, and does not run
/// stream.barrier(team);
/// StreamGraph step = stream.endCapture();
/// for (int i = 0; i < 100; i++) {
///     stream.launch(step);
/// }
/// ```
///
/// Another stream joins the capture when it waits for an event that a capturing stream has recorded, and leaves
/// it at the end; before that the capturing stream waits for an event of each stream that has joined. A launch
/// runs the operations in the order of their streams and events, with one-sided operations through the contexts
/// of the stream that has launched it. A launch is one operation of that stream. Two launches of one graph never
/// overlap.
///
/// Arguments are those of the capture. So a wait for a signal in a graph should be for a value that the program
/// or the graph itself sets back.
///
/// If an operation fails, the launch ends and fails its stream; operations of other captured streams that are
/// under way may still take effect. Then the graph can't be launched again.
public final class StreamGraph implements AutoCloseable {
    private final StreamEngine engine;
    private final List<GraphLane> lanes = new ArrayList<>();
    private final RequestCache requests = new RequestCache();
    private final TeamUses teamUses = new TeamUses();

    /// Launches that are not over; the lock guards it.
    private int launches;

    /// Whether the capture goes on; the lock guards it.
    private boolean isCapturing = true;

    private volatile boolean isClosed;

    // Only the thread that runs the hook uses these.
    private @Nullable StreamOperation running;
    private boolean hasFailed;

    private final GraphRecords records;

    StreamGraph(StreamEngine engine) {
        this.engine = engine;
        this.records = new GraphRecords(engine, lanes);
    }

    GraphRecords records() {
        return records;
    }

    RequestCache requests() {
        return requests;
    }

    TeamUses teamUses() {
        return teamUses;
    }

    /// Lets a stream join the capture. The caller holds the lock.
    void join(StreamLane stream) {
        GraphLane lane = new GraphLane(this, lanes.size(), stream);
        lanes.add(lane);
        stream.captured(lane);
    }

    boolean isCapturing() {
        return isCapturing;
    }

    /// Returns whether the capture has begun in this stream.
    boolean hasBegunIn(StreamLane stream) {
        return lanes.getFirst().source().equals(stream);
    }

    /// Ends the capture. The caller holds the lock.
    ///
    /// @throws StreamException if a stream has operations that the first one does not wait for; the capture is
    ///     lost
    void end(StreamLane origin) {
        isCapturing = false;
        lanes.forEach(lane -> lane.source().captured(null));
        for (GraphLane lane : lanes) {
            if (lane.slot != 0 && lanes.getFirst().clock.at(lane.slot) < lane.position()) {
                requests.retireAll(engine);
                throw new StreamException(
                        StreamError.UNJOINED,
                        "endCapture on stream \"" + origin.name + "\", PE "
                                + engine.world().pe() + ": stream \""
                                + lane.name + "\" has joined the capture, and operations of it up to "
                                + lane.id(lane.position() - 1) + " are before nothing in \"" + origin.name
                                + "\"; record an event there and wait for it before the end");
            }
        }
    }

    /// Notes a launch, before it is enqueued. The caller holds the lock.
    void launch(StreamLane stream, StreamOperation operation) {
        if (isClosed) {
            throw new IllegalStateException("launch on stream \"" + stream.name + "\", PE "
                    + engine.world().pe() + ": the graph is closed");
        }
        String site = teamUses.isEmpty() ? "" : RequestCache.callSite();
        for (Team team : teamUses.teams()) {
            stream.orderUses(engine.teamUses(), team, site, operation);
        }
        for (Team team : teamUses.teams()) {
            engine.teamUses().note(team, stream, site);
        }
        LaneLog log = stream.log();
        if (log != null) {
            log.launched(records, operation);
        }
        launches++;
    }

    /// Advances a launch, and returns whether it is over.
    @SuppressWarnings("ReferenceEquality") // the very launch
    boolean poll(StreamOperation operation, StreamLane stream) {
        if (running == null) {
            if (hasFailed) {
                skip();
                throw new IllegalStateException("the graph has failed in an earlier launch; capture it again");
            }
            running = operation;
            lanes.forEach(GraphLane::rewind);
            records.begin(operation);
        }
        if (running != operation) {
            return false;
        }
        boolean isOver = false;
        try {
            isOver = advance(operation, stream);
        } catch (UpstreamFailure e) {
            hasFailed = true;
            running = null;
            records.end();
            skip();
            throw e;
        }
        if (isOver) {
            running = null;
            records.end();
            skip();
        }
        return isOver;
    }

    private boolean advance(StreamOperation launch, StreamLane stream) {
        boolean moved = true;
        boolean hasMoved = false;
        while (moved) {
            moved = false;
            for (int i = 0; i < lanes.size(); i++) {
                moved |= lanes.get(i).advance(stream);
            }
            hasMoved |= moved;
        }
        boolean isOver = true;
        for (int i = 0; i < lanes.size(); i++) {
            isOver &= lanes.get(i).isOver();
        }
        if (hasMoved && !isOver) {
            engine.noteMove();
        } else if (!isOver) {
            records.waits(launch, stream);
        }
        return isOver;
    }

    /// Notes that a launch is over, or does not run.
    void skip() {
        synchronized (engine) {
            launches--;
            if (isClosed && launches == 0) {
                requests.retireAll(engine);
                records.close();
            }
        }
    }

    /// Releases the graph once its launches are over, without waiting for them. A second close does nothing.
    @Override
    public void close() {
        synchronized (engine) {
            if (!isClosed) {
                isClosed = true;
                if (launches == 0) {
                    requests.retireAll(engine);
                    records.close();
                }
            }
        }
    }
}
