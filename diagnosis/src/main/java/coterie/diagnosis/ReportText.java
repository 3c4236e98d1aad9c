// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Diagnosis.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
                lines.add("  " + number + ". " + link.operation() + ", " + link.label() + ", "
                        + link.blocker().text());
                number++;
            }
        }
        if (!diagnosis.stuck().isEmpty()) {
            lines.add("stuck:");
            int room = Math.max(1, MOST_LINES - lines.size() - tail.size() - 1);
            List<StuckOperation> stuck = diagnosis.stuck();
            stuck.stream().limit(room).forEach(this::write);
            if (stuck.size() > room) {
                lines.add("  … " + (stuck.size() - room) + " more");
            }
        }
        lines.addAll(tail);
        if (lines.size() > MOST_LINES) {
            int more = lines.size() - MOST_LINES + 1;
            lines.subList(MOST_LINES - 1, lines.size()).clear();
            lines.add("… " + more + " more lines");
        }
    }

    private void write(StuckOperation operation) {
        StringBuilder line = new StringBuilder("  ");
        line.append(operation.id()).append("  ").append(operation.label());
        if (!operation.site().isEmpty()) {
            line.append(" at ").append(operation.site());
        }
        if (operation.waitedNanos() > 0) {
            line.append(", for ").append(seconds(operation.waitedNanos()));
        }
        if (!operation.blockers().isEmpty()) {
            line.append(": ").append(operation.blockers().getFirst().text());
            if (operation.blockers().size() > 1) {
                line.append("; … ").append(operation.blockers().size() - 1).append(" more");
            }
        }
        lines.add(line.toString());
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
    }
}
