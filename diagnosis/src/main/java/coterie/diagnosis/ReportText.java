// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Diagnosis.Link;
import coterie.internal.launch.PeNumbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Writes a diagnosis for people.
final class ReportText {
    private static final int MOST_LINES = 25;

    private static final double NANOS_PER_SECOND = 1e9;

    private final List<String> lines = new ArrayList<>();

    private ReportText() {}

    static String of(Diagnosis diagnosis) {
        ReportText report = new ReportText();
        report.write(diagnosis);
        return String.join("\n", report.lines);
    }

    private void write(Diagnosis diagnosis) {
        lines.add(diagnosis.verdict() + ": " + diagnosis.verdict().text() + " (" + diagnosis.job() + ", "
                + diagnosis.pes() + (diagnosis.pes() == 1 ? " PE" : " PEs")
                + (diagnosis.stalledNanos() == 0 ? "" : ", nothing has moved for " + seconds(diagnosis.stalledNanos()))
                + ")");
        diagnosis.causes().forEach(each -> lines.add("  " + each));
        List<String> tail = new ArrayList<>();
        if (!diagnosis.order().isEmpty()) {
            tail.add("  order: " + String.join(", ", diagnosis.order()));
        }
        diagnosis.suggestions().forEach(each -> tail.add("  try: " + each));
        diagnosis.unknown().forEach(each -> tail.add("  not known: " + each));
        if (!diagnosis.cycle().isEmpty()) {
            lines.add("cycle:");
            int number = 1;
            for (Link link : diagnosis.cycle()) {
                lines.add("  " + number + ". " + siteFirst(siteOf(diagnosis, link)) + link.operation() + ", "
                        + link.label() + ", " + link.blocker().text());
                number++;
            }
        }
        if (!diagnosis.stuck().isEmpty()) {
            lines.add("stuck:");
            int room = Math.max(1, MOST_LINES - lines.size() - tail.size() - 1);
            Map<String, List<StuckOperation>> alike = new LinkedHashMap<>();
            diagnosis
                    .stuck()
                    .forEach(each -> alike.computeIfAbsent(likeness(each), key -> new ArrayList<>())
                            .add(each));
            alike.values().stream().limit(room).forEach(this::write);
            if (alike.size() > room) {
                int more =
                        alike.values().stream().skip(room).mapToInt(List::size).sum();
                lines.add("  … " + more + " more");
            }
        }
        lines.addAll(tail);
        if (lines.size() > MOST_LINES) {
            int more = lines.size() - MOST_LINES + 1;
            lines.subList(MOST_LINES - 1, lines.size()).clear();
            lines.add("… " + more + " more lines");
        }
    }

    private static String siteFirst(String site) {
        return site.isEmpty() ? "" : site + "  ";
    }

    private static String siteOf(Diagnosis diagnosis, Link link) {
        return diagnosis.stuck().stream()
                .filter(each -> each.id().equals(link.operation()))
                .map(StuckOperation::site)
                .findFirst()
                .orElse("");
    }

    /// Returns the id of an operation in its PE: "S#3" of "P0.S#3".
    private static String idInPe(StuckOperation operation) {
        return operation.id().substring(operation.id().indexOf('.') + 1);
    }

    /// Returns what operations have in common that a report has once.
    private static String likeness(StuckOperation operation) {
        return String.join("\n", idInPe(operation), operation.label(), operation.site(), blockers(operation));
    }

    private static String blockers(StuckOperation operation) {
        List<Blocker> blockers = operation.blockers();
        return blockers.isEmpty()
                ? ""
                : ": " + blockers.getFirst().text()
                        + (blockers.size() > 1 ? "; … " + (blockers.size() - 1) + " more" : "");
    }

    /// Writes one line for operations of several PEs that are alike, the line of the program first.
    private void write(List<StuckOperation> alike) {
        StuckOperation first = alike.getFirst();
        StringBuilder line = new StringBuilder("  ").append(siteFirst(first.site()));
        if (alike.size() == 1) {
            line.append(first.id());
        } else {
            line.append(PeNumbers.text(alike.stream().map(StuckOperation::pe).toList()))
                    .append(' ')
                    .append(idInPe(first));
        }
        line.append("  ").append(first.label());
        long waited =
                alike.stream().mapToLong(StuckOperation::waitedNanos).max().orElse(0);
        if (waited > 0) {
            line.append(", for ").append(seconds(waited));
        }
        lines.add(line.append(blockers(first)).toString());
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
    }
}
