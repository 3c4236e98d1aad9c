// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.Comparison;
import coterie.Team;
import coterie.diagnosis.PeSnapshot.Status;
import coterie.internal.launch.RecordedJob;
import coterie.internal.launch.RecordedPe;
import coterie.internal.launch.RecordedWait;
import coterie.internal.launch.RecordedWord;
import coterie.internal.record.RecordedLane;
import coterie.internal.record.TeamText;
import coterie.spi.OperationRecord;
import coterie.spi.OperationRecord.Action;
import coterie.spi.PeState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The operations of one PE's graph, which has not run: what PEs exchange to check their graphs together.
///
/// Each PE adds its lanes and operations, sends [#bytes] to the others, and has [#diagnose] look at those of all.
public final class CapturedGraph {
    private static final int LEAST_BYTES = 256;

    /// The thread that has launched the graph waits in the lane `host`.
    private static final RecordedWait HOST_WAIT = new RecordedWait(
            RecordedWait.Kind.CONDITION, "", "", 0, -1, null, 0, "", null, Comparison.EQ, 0, 0, 0, 0, "");

    private ByteBuffer bytes = ByteBuffer.allocate(LEAST_BYTES);

    /// Makes a graph without a lane.
    public CapturedGraph() {}

    /// Begins a lane: the operations added from now on run one after the other. The graph ends with the first lane.
    ///
    /// @param name in the ids of its operations, such as `S.graph` in `P0.S.graph#3`
    /// @param operations that will be added
    public void lane(String name, int operations) {
        put(name);
        room(Integer.BYTES).putInt(operations);
    }

    /// Adds an operation to the latest lane.
    ///
    /// @param record what it is, without the numbers of its texts; lanes have the numbers 0, 1, …
    /// @param label what it is, for reports
    /// @param site the line of the program that has captured it; empty if unknown
    /// @param allocation the text of the memory that awaited words are in; empty if unknown
    /// @param words the values of awaited words, as far as they are known
    public void add(OperationRecord record, String label, String site, String allocation, long... words) {
        put(record, label, site, "", allocation);
        room(Integer.BYTES).putInt(words.length);
        for (long word : words) {
            room(Long.BYTES).putLong(word);
        }
    }

    /// Adds a collective to the latest lane.
    ///
    /// @param sequence its number among the graph's collectives of the team, from 0 on
    /// @param order its place among all operations of the graph, in the order of the calls
    /// @param signature what all members have in common, such as `barrier`
    /// @param label what it is, for reports
    /// @param site the line of the program that has captured it; empty if unknown
    public void addCollective(Team team, long sequence, long order, String signature, String label, String site) {
        OperationRecord record = new OperationRecord();
        record.setAction(Action.COLLECTIVE);
        record.setValue(sequence);
        record.setOrder(order);
        put(record, label, site, TeamText.of(team), signature);
        room(Integer.BYTES).putInt(0);
    }

    private void put(OperationRecord record, String label, String site, String team, String signature) {
        room(8 * Long.BYTES)
                .putInt(record.action().ordinal())
                .putInt(record.comparison().ordinal())
                .putInt(record.isUnsigned() ? 1 : 0)
                .putInt(record.width())
                .putInt(record.pe())
                .putInt(record.object())
                .putLong(record.offset())
                .putLong(record.value())
                .putLong(record.length())
                .putLong(record.order());
        put(label);
        put(site);
        put(team);
        put(signature);
    }

    private void put(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        room(Integer.BYTES + encoded.length).putInt(encoded.length).put(encoded);
    }

    private ByteBuffer room(int needed) {
        if (bytes.remaining() < needed) {
            ByteBuffer more = ByteBuffer.allocate(2 * bytes.capacity() + needed);
            bytes = more.put(bytes.flip());
        }
        return bytes;
    }

    /// Returns all that was added.
    public byte[] bytes() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /// Diagnoses graphs that all start at the same time, while each host waits for the end of its own.
    ///
    /// @param name for reports
    /// @param pes how many PEs the job has
    /// @param graphs [#bytes] of the PEs that have a graph; others may do anything
    /// @throws java.nio.BufferUnderflowException if bytes are not those of a graph
    public static Diagnosis diagnose(String name, int pes, Map<Integer, byte[]> graphs) {
        Map<RecordedWord, Long> words = new HashMap<>();
        List<RecordedPe> recorded = new ArrayList<>();
        for (int pe = 0; pe < pes; pe++) {
            byte[] graph = graphs.get(pe);
            List<RecordedLane> lanes = graph == null ? List.of() : lanes(ByteBuffer.wrap(graph), words);
            recorded.add(new RecordedPe(
                    pe, PeState.RUNNING, "", 0, false, false, List.of(), 0, HOST_WAIT, lanes, 0, Map.of()));
        }
        RecordedJob job = new RecordedJob(name, "", recorded, words);
        Snapshot known = JobSnapshots.of(
                job,
                new BitSet(),
                new BitSet(),
                new BitSet(),
                job.pes().stream().map(RecordedPe::lanes).toList(),
                0,
                0);
        List<PeSnapshot> all = new ArrayList<>(known.pes());
        all.replaceAll(each -> graphs.containsKey(each.pe()) ? each : unread(each.pe()));
        return Diagnosis.of(new Snapshot(name, all, known.words(), 0));
    }

    private static PeSnapshot unread(int pe) {
        return new PeSnapshot(
                pe, Status.UNREAD, "it has no part in the check", List.of(), Map.of(), QueueLimits.NONE, 0);
    }

    private static List<RecordedLane> lanes(ByteBuffer from, Map<RecordedWord, Long> words) {
        List<RecordedLane> lanes = new ArrayList<>();
        while (from.hasRemaining()) {
            String name = text(from);
            int count = from.getInt();
            List<RecordedLane.Operation> operations = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                operations.add(operation(from, words));
            }
            lanes.add(lane(lanes.size(), name, false, operations));
        }
        int end = lanes.isEmpty() ? 0 : lanes.getFirst().pending().size();
        lanes.add(lane(lanes.size(), "host", true, List.of(endOfGraph(end))));
        return lanes;
    }

    private static RecordedLane lane(int number, String name, boolean isHost, List<RecordedLane.Operation> operations) {
        return new RecordedLane(number, name, isHost, -1, false, 0, operations.size(), 0, 0, operations, List.of());
    }

    private static RecordedLane.Operation endOfGraph(int position) {
        OperationRecord record = new OperationRecord();
        record.setAction(Action.AFTER);
        record.setValue(position);
        return operation(record, "end of the graph", "", "", "");
    }

    private static RecordedLane.Operation operation(ByteBuffer from, Map<RecordedWord, Long> words) {
        OperationRecord record = new OperationRecord();
        record.setAction(Action.values()[from.getInt()]);
        record.setComparison(Comparison.values()[from.getInt()]);
        record.setUnsigned(from.getInt() != 0);
        record.setWidth(from.getInt());
        record.setPe(from.getInt());
        record.setObject(from.getInt());
        record.setOffset(from.getLong());
        record.setValue(from.getLong());
        record.setLength(from.getLong());
        record.setOrder(from.getLong());
        String label = text(from);
        String site = text(from);
        String team = text(from);
        String signature = text(from);
        int known = from.getInt();
        for (int i = 0; i < known; i++) {
            long offset = record.offset() + (long) i * record.width();
            words.put(new RecordedWord(record.pe(), offset, record.width(), record.isUnsigned()), from.getLong());
        }
        return operation(record, label, site, team, signature);
    }

    private static RecordedLane.Operation operation(
            OperationRecord record, String label, String site, String team, String signature) {
        return new RecordedLane.Operation(
                record.action(),
                record.comparison(),
                record.isUnsigned(),
                record.width(),
                false,
                false,
                record.pe(),
                record.offset(),
                team,
                record.object(),
                record.value(),
                record.length(),
                label,
                signature,
                site,
                record.order());
    }

    private static String text(ByteBuffer from) {
        byte[] encoded = new byte[from.getInt()];
        from.get(encoded);
        return new String(encoded, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "captured graph in " + bytes.position() + " bytes";
    }
}
