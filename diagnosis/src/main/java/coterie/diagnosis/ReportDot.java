// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Diagnosis.Link;
import java.util.HashSet;
import java.util.Set;

/// Draws a diagnosis: a cluster for each PE, a node for each operation.
final class ReportDot {
    private ReportDot() {}

    static String of(Diagnosis diagnosis) {
        StringBuilder dot = new StringBuilder("digraph diagnosis {\n  rankdir=LR; node [shape=box];\n");
        dot.append("  label=")
                .append(quoted(diagnosis.verdict() + ": " + diagnosis.verdict().text()));
        dot.append(";\n");
        for (int pe = 0; pe < diagnosis.pes(); pe++) {
            cluster(dot, diagnosis, pe);
        }
        Set<String> red = new HashSet<>();
        for (Link link : diagnosis.cycle()) {
            red.add(link.operation() + " " + link.blocker().operation());
        }
        for (StuckOperation operation : diagnosis.stuck()) {
            for (Blocker blocker : operation.blockers()) {
                edge(dot, operation, blocker, red.contains(operation.id() + " " + blocker.operation()));
            }
        }
        return dot.append("}\n").toString();
    }

    private static void cluster(StringBuilder dot, Diagnosis diagnosis, int pe) {
        dot.append("  subgraph cluster_")
                .append(pe)
                .append(" {\n    label=\"PE ")
                .append(pe)
                .append("\";\n");
        for (StuckOperation operation : diagnosis.stuck()) {
            if (operation.pe() == pe) {
                dot.append("    ").append(quoted(operation.id())).append(" [label=");
                dot.append(quoted(operation.id() + "\n" + operation.label())).append("];\n");
            }
        }
        dot.append("  }\n");
    }

    private static void edge(StringBuilder dot, StuckOperation from, Blocker blocker, boolean isRed) {
        String to = blocker.operation().isEmpty() ? from.id() + " nothing" : blocker.operation();
        if (blocker.operation().isEmpty()) {
            dot.append("  ").append(quoted(to)).append(" [shape=plaintext, label=");
            dot.append(quoted(blocker.text())).append("];\n");
        }
        dot.append("  ").append(quoted(from.id())).append(" -> ").append(quoted(to));
        dot.append(" [label=").append(quoted(blocker.kind().name()));
        dot.append(isRed ? ", color=red];\n" : "];\n");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
