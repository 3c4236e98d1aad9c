// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a snapshot says about a job: whether operations are stuck, why, and what would free them.
///
/// @param job the name of the job
/// @param pes how many PEs it has
/// @param stalledNanos for how long nothing has moved
/// @param verdict what has been found
/// @param causes the facts that the verdict is about, each a sentence: the dead PE, the two collectives, the
/// code that     could help
/// @param stuck the operations that do not go on, by PE and lane
/// @param cycle a shortest cycle among them, if there is one: each link waits for the next one, and the last one
/// for     the first
/// @param cut waits of operations for the one before in their lane: without these waits nothing would be stuck, and
/// each of them is needed for that; empty if there are none, as for another verdict than DEADLOCK
/// @param order the order of the device that a hazard needs, as ids of operations; empty for another verdict
/// @param suggestions what would free the operations
/// @param unknown what the snapshot does not have
/// @param source what the snapshot was made of
public record Diagnosis(
        String job,
        int pes,
        long stalledNanos,
        Verdict verdict,
        List<String> causes,
        List<StuckOperation> stuck,
        List<Link> cycle,
        List<Cut> cut,
        List<String> order,
        List<String> suggestions,
        List<String> unknown,
        Source source) {
    /// The version of [#fields].
    public static final int SCHEMA = 2;

    /// A link of a cycle.
    ///
    /// @param operation the id of an operation
    /// @param label what it is
    /// @param blocker why it waits for the next link
    public record Link(String operation, String label, Blocker blocker) {}

    /// A wait of an operation for the one before in its lane.
    ///
    /// @param operation the id of an operation
    /// @param before the id of the one before
    public record Cut(String operation, String before) {}

    public Diagnosis {
        causes = List.copyOf(causes);
        stuck = List.copyOf(stuck);
        cycle = List.copyOf(cycle);
        cut = List.copyOf(cut);
        order = List.copyOf(order);
        suggestions = List.copyOf(suggestions);
        unknown = List.copyOf(unknown);
    }

    /// Diagnoses a snapshot. It takes milliseconds for some hundreds of operations, and no longer than some seconds
    /// for any number.
    public static Diagnosis of(Snapshot snapshot) {
        return new Diagnostician(snapshot).diagnose();
    }

    /// Diagnoses a snapshot if its job can't go on, see [Verdict#isFinal], or if only a deadline lets it go on.
    ///
    /// @param patienceNanos a deadline that is nearer is no news
    static Optional<Diagnosis> ofFinal(Snapshot snapshot, long patienceNanos) {
        return new Diagnostician(snapshot).diagnoseFinal(patienceNanos);
    }

    /// Returns the report in at most 25 lines, without a line break at the end.
    public String text() {
        return ReportText.of(this);
    }

    /// Returns the graph of the stuck operations in the language of Graphviz; the cycle is red.
    public String dot() {
        return ReportDot.of(this);
    }

    /// Returns all fields as maps, lists, strings and numbers, for a writer of JSON.
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("schema", SCHEMA);
        fields.put("job", job);
        fields.put("pes", pes);
        source.addTo(fields);
        fields.put("stalledNanos", stalledNanos);
        fields.put("verdict", verdict.name());
        fields.put("causes", causes);
        fields.put("stuck", stuck.stream().map(Diagnosis::fields).toList());
        fields.put("cycle", cycle.stream().map(Diagnosis::fields).toList());
        fields.put("edges", cycle.stream().map(Diagnosis::edge).toList());
        fields.put(
                "cut",
                cut.stream()
                        .map(each -> edge(each.operation(), each.before(), Blocker.Kind.ORDER))
                        .toList());
        fields.put("order", order);
        fields.put("suggestions", suggestions);
        fields.put("unknown", unknown);
        return fields;
    }

    private static Map<String, Object> fields(StuckOperation operation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("operation", operation.id());
        fields.put("pe", operation.pe());
        fields.put("lane", operation.lane());
        fields.put("label", operation.label());
        fields.put("site", operation.site());
        fields.put("waitedNanos", operation.waitedNanos());
        fields.put(
                "blockers", operation.blockers().stream().map(Diagnosis::fields).toList());
        fields.putAll(operation.details());
        return fields;
    }

    private static Map<String, Object> fields(Link link) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("operation", link.operation());
        fields.put("label", link.label());
        fields.put("blocker", fields(link.blocker()));
        return fields;
    }

    private static Map<String, Object> edge(Link link) {
        return edge(link.operation(), link.blocker().operation(), link.blocker().kind());
    }

    private static Map<String, Object> edge(String from, String to, Blocker.Kind kind) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("from", from);
        fields.put("to", to);
        fields.put("kind", kind.name());
        return fields;
    }

    private static Map<String, Object> fields(Blocker blocker) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", blocker.kind().name());
        fields.put("operation", blocker.operation());
        fields.put("text", blocker.text());
        return fields;
    }
}
