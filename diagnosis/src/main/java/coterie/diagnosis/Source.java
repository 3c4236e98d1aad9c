// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a diagnosis was made of: where and when the records were read, and which of them are missing.
///
/// @param host the name of the machine; empty if unknown
/// @param time when the records were read
/// @param processes of all PEs, by their numbers
/// @param lanes of all PEs
public record Source(String host, Instant time, List<PeProcess> processes, List<Lane> lanes) {
    /// The process of a PE.
    ///
    /// @param pid its id on the host; 0 if the PE has none
    /// @param detail how it has ended, or why it can't be read; empty if there is nothing to say
    public record PeProcess(int pe, long pid, PeSnapshot.Status status, String detail) {}

    /// A lane of a PE, of whose operations a diagnosis knows those that are pending and the latest ones that are over.
    ///
    /// @param lane its name, as in the ids of operations
    /// @param completed how many of its operations are over
    /// @param pending how many others are known
    /// @param droppedCompleted how many of those that are over are not known any more
    /// @param droppedPending how many of those that are pending are not known
    /// @param lastDropped the number of the latest operation that is not known; −1 if all are
    public record Lane(
            int pe,
            String lane,
            long completed,
            int pending,
            long droppedCompleted,
            long droppedPending,
            long lastDropped) {}

    public Source {
        processes = List.copyOf(processes);
        lanes = List.copyOf(lanes);
    }

    static Source of(Snapshot snapshot) {
        List<PeProcess> processes = new ArrayList<>();
        List<Lane> lanes = new ArrayList<>();
        for (PeSnapshot pe : snapshot.pes()) {
            processes.add(new PeProcess(pe.pe(), pe.pid(), pe.status(), pe.detail()));
            pe.lanes().forEach(lane -> lanes.add(of(pe.pe(), lane)));
        }
        return new Source(snapshot.host(), snapshot.time(), processes, lanes);
    }

    private static Lane of(int pe, LaneSnapshot lane) {
        int pending = lane.pending().size();
        long droppedCompleted = lane.completed() - lane.history().size();
        long end = lane.completed() + pending + lane.dropped();
        return new Lane(
                pe,
                lane.name(),
                lane.completed(),
                pending,
                droppedCompleted,
                lane.dropped(),
                lane.dropped() > 0 ? end - 1 : droppedCompleted - 1);
    }

    /// Puts all of it into the fields of a report.
    void addTo(Map<String, Object> fields) {
        fields.put("host", host);
        fields.put("time", time.toString());
        fields.put("processes", processes.stream().map(Source::fields).toList());
        fields.put("lanes", lanes.stream().map(Source::fields).toList());
    }

    private static Map<String, Object> fields(PeProcess process) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("pe", process.pe());
        fields.put("pid", process.pid());
        fields.put("status", process.status().name());
        fields.put("detail", process.detail());
        return fields;
    }

    private static Map<String, Object> fields(Lane lane) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("pe", lane.pe());
        fields.put("lane", lane.lane());
        fields.put("completed", lane.completed());
        fields.put("pending", lane.pending());
        fields.put("droppedCompleted", lane.droppedCompleted());
        fields.put("droppedPending", lane.droppedPending());
        fields.put("lastDropped", lane.lastDropped());
        return fields;
    }
}
