// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.ElementView;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.diagnosis.CapturedGraph;
import coterie.diagnosis.Diagnosis;
import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;
import coterie.spi.OperationRecord.Action;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checks the graphs of a team's members together, before they run: each member writes its operations into bytes,
/// all get the bytes of all, and each of them comes to the same diagnosis.
final class GraphCheck implements OperationLog {
    /// Words of one wait whose values are read; a diagnosis looks at no more.
    private static final int MOST_WORDS = 64;

    private static final long[] NO_WORDS = {};

    private final LaneLog places;
    private final List<String> texts = new ArrayList<>(List.of(""));

    /// The record of the latest operation, until the next one.
    private @Nullable OperationRecord issued;

    private GraphCheck(LaneLog places) {
        this.places = places;
    }

    /// Diagnoses the graphs of all members. **Collective**.
    static Diagnosis of(StreamGraph graph, List<GraphLane> lanes, StreamEngine engine, Team team) {
        World world = engine.world();
        LaneLog places = lanes.getFirst().source().log();
        byte[] mine = {};
        if (places != null) {
            synchronized (engine) {
                mine = new GraphCheck(places).describe(graph, lanes, engine);
            }
        }
        Map<Integer, byte[]> graphs = exchange(mine, team);
        graphs.forEach((pe, bytes) -> {
            if (bytes.length == 0) {
                throw new IllegalStateException("check of a graph on PE " + world.pe() + ", team \"" + team.name()
                        + "\": PE " + pe + " has no records of operations; set coterie.records to true, and do not"
                        + " simulate the job");
            }
        });
        return CapturedGraph.diagnose("graphs of team \"" + team.name() + "\"", world.size(), graphs);
    }

    /// Returns the bytes of all members, by PE.
    private static Map<Integer, byte[]> exchange(byte[] mine, Team team) {
        long longest = team.allReduce(Reduction.MAX, mine.length);
        long block = Long.BYTES + (longest + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        Map<Integer, byte[]> all = new HashMap<>();
        try (SymmetricMemory memory = team.allocate(block * (team.size() + 1))) {
            MemorySegment local = memory.segment();
            local.set(ValueLayout.JAVA_LONG, 0, mine.length);
            MemorySegment.copy(mine, 0, local, ValueLayout.JAVA_BYTE, Long.BYTES, mine.length);
            team.allGather(memory.bytes(), block, memory.bytes(), 0, block);
            for (int member = 0; member < team.size(); member++) {
                MemorySegment theirs = local.asSlice(block * (member + 1), block);
                byte[] bytes = new byte[(int) theirs.get(ValueLayout.JAVA_LONG, 0)];
                MemorySegment.copy(theirs, ValueLayout.JAVA_BYTE, Long.BYTES, bytes, 0, bytes.length);
                all.put(team.pe(member), bytes);
            }
        }
        return all;
    }

    private byte[] describe(StreamGraph graph, List<GraphLane> lanes, StreamEngine engine) {
        CapturedGraph captured = new CapturedGraph();
        OperationRecorder recorder =
                new OperationRecorder(engine.world(), engine.device().limits());
        Map<StreamOperation, Long> sequences = sequences(graph.records().collectives());
        for (GraphLane lane : lanes) {
            List<StreamOperation> operations = lane.operations();
            captured.lane(lane.recordedName(), operations.size());
            for (int i = 0; i < operations.size(); i++) {
                StreamOperation operation = operations.get(i);
                if (operation.object instanceof CachedRequest request) {
                    captured.addCollective(
                            request.team(),
                            requireNonNull(sequences.get(operation)),
                            operation.order,
                            request.signatureText(),
                            request.labelText(),
                            lane.site(i));
                } else {
                    recorder.publish(this, i, operation);
                    OperationRecord record = requireNonNull(issued);
                    record.setValue(record.value() + StreamGraph.nextAdvance(operation));
                    if (operation.object instanceof GraphLane before) {
                        record.setAction(Action.AFTER);
                        record.setObject(before.slot);
                        record.setValue(operation.count);
                    }
                    captured.add(
                            record,
                            texts.get(record.label()),
                            lane.site(i),
                            texts.get(record.signature()),
                            words(operation, record));
                }
            }
        }
        return captured.bytes();
    }

    /// Numbers the collectives of each team, as a launch does.
    private static Map<StreamOperation, Long> sequences(List<StreamOperation> collectives) {
        Map<Team, Long> counts = new HashMap<>();
        Map<StreamOperation, Long> sequences = new HashMap<>();
        for (StreamOperation each : collectives) {
            CachedRequest request = (CachedRequest) requireNonNull(each.object);
            sequences.put(each, counts.merge(request.team(), 1L, Long::sum) - 1);
        }
        return sequences;
    }

    /// Reads the words that an operation waits for.
    private long[] words(StreamOperation operation, OperationRecord record) {
        if (record.action() != Action.WAIT) {
            return NO_WORDS;
        }
        if (operation.object instanceof SignalWord signal) {
            return new long[] {signal.fetch()};
        }
        ElementView view = requireNonNull(operation.view);
        long first = (record.offset() - offset(view.memory())) / record.width();
        long[] words = new long[(int) Math.min(MOST_WORDS, record.length())];
        for (int i = 0; i < words.length; i++) {
            long word = ((IntegerView) view).get(first + i);
            boolean isNarrow = record.isUnsigned() && record.width() < Long.BYTES;
            words[i] = isNarrow ? word & (1L << (Byte.SIZE * record.width())) - 1 : word;
        }
        return words;
    }

    @Override
    public int lane() {
        return OperationLane.UNRECORDED;
    }

    @Override
    public int capacity() {
        return 0;
    }

    @Override
    public int text(String text) {
        texts.add(text);
        return texts.size() - 1;
    }

    @Override
    public int team(Team team) {
        return 0;
    }

    @Override
    public long nextCollective(int team) {
        return -1;
    }

    @Override
    public void skipCollective(int team, int cause) {}

    @Override
    public long offset(SymmetricMemory memory) {
        return places.offset(memory);
    }

    @Override
    public int allocation(SymmetricMemory memory) {
        return text(places.allocationText(memory));
    }

    @Override
    public void issued(long count) {}

    @Override
    public void issue(long position, OperationRecord record) {
        issued = record;
    }

    @Override
    public void write(long position, OperationRecord record) {}

    @Override
    public void started(long position) {}

    @Override
    public void complete(long completed) {}

    @Override
    public void since(long nanos) {}

    @Override
    public void close() {}
}
