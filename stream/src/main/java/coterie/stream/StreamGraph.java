// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.IntegerView;
import coterie.SignalWord;
import coterie.Team;
import coterie.diagnosis.Diagnosis;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Operations that streams have captured instead of run, for any number of launches.
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
/// Arguments are those of the capture. So the second launch of a wait for `arrived ≥ 1` finds what the first one
/// has waited for, and goes on at once: let the values of such a word grow by [#advancing(SignalWord, long)], or
/// let the graph set it back.
///
/// If an operation fails, the launch ends and fails its stream; operations of other captured streams that are
/// under way may still take effect. Then the graph can't be launched again.
/// @counterpart `cudaGraph_t`, `cudaGraphExec_t`
public final class StreamGraph implements AutoCloseable {
    private final StreamEngine engine;
    private final List<GraphLane> lanes = new ArrayList<>();
    private final RequestCache requests = new RequestCache();
    private final TeamUses teamUses = new TeamUses();

    /// Operations so far; the lock guards it.
    private long captured;

    /// Launches that are not over; the lock guards it.
    private int launches;

    /// Whether the capture goes on; the lock guards it.
    private boolean isCapturing = true;

    private final CaptureMode mode;
    private final Thread opener = Thread.currentThread();

    /// Whether a warning has told of a collective during the capture; the lock guards it.
    private boolean hasWarned;

    private boolean hasLaunched;

    private volatile boolean isClosed;

    // Only the thread that runs the hook uses these.
    private @Nullable StreamOperation running;
    private boolean hasFailed;

    /// Words that the graph advances, and by how much each launch does. The lock guards it before the first launch.
    private final Map<AdvancingWord, Long> advances = new LinkedHashMap<>();

    /// The same for the thread that runs the hook, which makes no iterators.
    private AdvancingWord[] words = {};

    private long[] perLaunch = {};

    private final GraphRecords records;

    StreamGraph(StreamEngine engine, CaptureMode mode) {
        this.engine = engine;
        this.mode = mode;
        this.records = new GraphRecords(engine, lanes);
    }

    GraphRecords records() {
        return records;
    }

    /// Returns what the next launch adds to the value of an operation, if no launch is under way. The caller holds the
    /// lock.
    static long nextAdvance(StreamOperation operation) {
        AdvancingWord word = operation.advancing;
        return word == null ? 0 : word.sum() - operation.advanced;
    }

    /// Returns the place of the next operation among all that are captured. The caller holds the lock.
    long nextOrder() {
        return captured++;
    }

    /// Returns whether the capture prohibits calls of a thread.
    boolean watches(Thread thread) {
        return mode == CaptureMode.GLOBAL || (mode == CaptureMode.THREAD_LOCAL && opener.equals(thread));
    }

    /// Returns whether nothing has warned yet, and notes that something does now. The caller holds the lock.
    boolean warnsFirst() {
        boolean isFirst = !hasWarned;
        hasWarned = true;
        return isFirst;
    }

    String describeCapture() {
        return "stream \"" + lanes.getFirst().name + "\" captures in mode " + mode + ", which " + opener.getName()
                + " has begun";
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
        if (mode != CaptureMode.RELAXED && !opener.equals(Thread.currentThread())) {
            throw new StreamException(
                    StreamError.WRONG_THREAD,
                    "endCapture on stream \"" + origin.name + "\", PE "
                            + engine.world().pe() + ": called by "
                            + Thread.currentThread().getName() + ", but " + describeCapture()
                            + "; end it in that thread, or begin it with " + CaptureMode.RELAXED);
        }
        finish();
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

    /// Lets the values of a signal in this graph go on from launch to launch: launch `i`, from 0, adds
    /// `i · perLaunch` to the operand of each captured wait for the signal, and to each value that the graph sets
    /// it to. Additions stay as they are. So a graph that adds 1 and waits for `≥ 1` waits for `≥ 2` in its second
    /// launch.
    ///
    /// The count belongs to the signal on its runtime: graphs that advance the same one may be launched in turns,
    /// and each launch adds what all launches of all of them before it have advanced the signal by. A graph that is
    /// closed leaves its part. All PEs that share the signal launch the graphs that advance it equally often; in
    /// the same order, if they advance it by different numbers. Streams or events order the launches of two such
    /// graphs.
    ///
    /// ```java
    /// StreamGraph step = stream.endCapture().advancing(arrived, 1);
    /// ```
    ///
    /// @return this
    /// @throws IllegalArgumentException if the graph neither waits for the signal nor sets it; if it is the word of
    ///     other PEs that this graph waits for or sets, and of others that graphs before it do: the two can't have
    ///     one count
    /// @throws IllegalStateException if the graph has been launched
    public StreamGraph advancing(SignalWord signal, long perLaunch) {
        return advancing(GraphWord.of(checked(signal, "advancing", "signal")), perLaunch);
    }

    /// Lets the values of an element go on from launch to launch, as [#advancing(SignalWord, long)] does: operands
    /// of waits for this element alone, and values that puts, writes and swaps store in it. A sum must fit the
    /// type.
    ///
    /// @return this
    /// @throws IllegalArgumentException if the graph neither waits for the element nor stores it, or shares it with
    ///     graphs that have no PE in common with it
    /// @throws IllegalStateException if the graph has been launched
    public StreamGraph advancing(IntegerView view, long index, long perLaunch) {
        return advancing(GraphWord.of(checked(view, "advancing", "view"), index), perLaunch);
    }

    private <T> T checked(T argument, String operation, String name) {
        if (argument == null) {
            throw new NullPointerException(operation + " of a graph of stream \"" + lanes.getFirst().name + "\", PE "
                    + engine.world().pe() + ": " + name + " is null");
        }
        return argument;
    }

    private StreamGraph advancing(GraphWord word, long step) {
        synchronized (engine) {
            String where = "advancing of a graph of stream \"" + lanes.getFirst().name + "\", PE "
                    + engine.world().pe() + ": ";
            if (hasLaunched) {
                throw new IllegalStateException(where + "the graph has been launched; call it before the first launch");
            }
            List<StreamOperation> found = new ArrayList<>();
            for (GraphLane lane : lanes) {
                lane.find(word, found);
            }
            if (found.isEmpty()) {
                throw new IllegalArgumentException(where + "no captured operation waits for the word at byte "
                        + word.byteOffset() + " of " + word.memory() + " or stores a value in it; pass a word of the"
                        + " graph");
            }
            BitSet pes = new BitSet();
            found.forEach(each -> pes.set(GraphWord.pe(each, engine.world())));
            String name = "stream \"" + lanes.getFirst().name + "\" at " + RequestCache.callSite();
            AdvancingWord shared = engine.advancingWords().join(word, pes, where, name);
            found.forEach(each -> each.advancing = shared);
            advances.put(shared, step);
            words = advances.keySet().toArray(AdvancingWord[]::new);
            perLaunch = advances.values().stream().mapToLong(Long::longValue).toArray();
            return this;
        }
    }

    /// A launch begins: its operations get their values, and the words advance.
    private void begin() {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).rewind();
        }
        for (int i = 0; i < words.length; i++) {
            words[i].add(perLaunch[i]);
        }
    }

    /// Looks for deadlocks in the graphs of all members of a team, before any of them runs. **Collective**: each
    /// member calls it with the graph that it launches at the same time as the others, and gets the same diagnosis.
    ///
    /// ```java
    /// Diagnosis found = step.check(world.team());
    /// if (found.verdict() != Verdict.NONE) {
    ///     throw new IllegalStateException(found.text());
    /// }
    /// ```
    ///
    /// It takes words as they are now, and hosts that do nothing but wait for the ends of their graphs:
    ///
    /// - `DEADLOCK`: no schedule completes these graphs;
    /// - `MISMATCH`: members call a team's collectives in different orders;
    /// - `HAZARD`: they complete, unless the device runs captured streams one after the other in an order that the
    ///   report has, as one with a single hardware queue may;
    /// - `STALLED`: a graph waits for what no graph does; a host could do it once its own graph is over, or a PE
    ///   outside the team, or a host function or kernel of a graph;
    /// - `NONE`: nothing was found.
    ///
    /// The graph may be launched before and afterwards. The check allocates symmetric memory while it runs, so an
    /// open capture prohibits it.
    ///
    /// @param team of which the caller is a member
    /// @throws IllegalStateException if the capture goes on, a launch is not over or the graph is closed, for the
    ///     caller alone; if the operations of a member have no records, as in simulated jobs, for all members
    public Diagnosis check(Team team) {
        Team members = checked(team, "check", "team");
        synchronized (engine) {
            if (isCapturing || isClosed || launches > 0) {
                String why = isCapturing
                        ? "the capture goes on; check what endCapture returns"
                        : isClosed
                                ? "the graph is closed; check it before the close"
                                : launches + " launches are not over; synchronize their streams first";
                throw new IllegalStateException("check of a graph of stream \"" + lanes.getFirst().name + "\", PE "
                        + engine.world().pe() + ": " + why);
            }
        }
        return GraphCheck.of(this, lanes, engine, members);
    }

    private void finish() {
        isCapturing = false;
        lanes.forEach(lane -> lane.source().captured(null));
        engine.captures().remove(this);
    }

    /// Ends the capture, whose graph is lost. The caller holds the lock.
    void drop() {
        finish();
        requests.retireAll(engine);
    }

    /// Throws if the graph is of another runtime than the stream that launches it.
    void checkOwn(StreamEngine launching, String stream) {
        if (!engine.equals(launching)) {
            throw new IllegalArgumentException("launch on stream \"" + stream + "\", PE "
                    + launching.world().pe()
                    + ": the graph belongs to another runtime; capture it in a stream of this one");
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
            CollectiveOrder.orderUses(stream, engine.teamUses(), team, site, operation);
        }
        for (Team team : teamUses.teams()) {
            engine.teamUses().note(team, stream, site);
        }
        LaneLog log = stream.log();
        if (log != null) {
            log.launched(records, operation);
        }
        launches++;
        hasLaunched = true;
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
            begin();
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

    @Override
    public String toString() {
        return "graph on PE " + engine.world().pe() + (isClosed ? ", closed" : isCapturing ? ", capturing" : "");
    }
}
