// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// The component that the spec's examples are about, and short texts of tables.
final class Tables {
    static final int TEAM_SIZE = 8;
    static final long INF = Long.MAX_VALUE;

    /// `allreduce` and `bcast` have algorithms to choose from, `barrier` and `alltoall` have one.
    static final AlgorithmTable<String> UCP = AlgorithmTable.<String>builder("ucp", 10)
            .add(CollectiveType.ALL_REDUCE, "knomial", "")
            .add(CollectiveType.ALL_REDUCE, "sra", "")
            .add(CollectiveType.ALL_REDUCE, "ring", "")
            .add(CollectiveType.ALL_REDUCE, "dbt", "")
            .add(CollectiveType.ALL_REDUCE, "generic", "")
            .add(CollectiveType.BROADCAST, "knomial", "")
            .add(CollectiveType.BROADCAST, "ring", "")
            .add(CollectiveType.BROADCAST, "generic", "")
            .add(CollectiveType.BARRIER, "generic", "")
            .add(CollectiveType.ALL_TO_ALL, "generic", "")
            .build();

    private Tables() {}

    /// The component's own table, score 10.
    static ScoreTable<String> ucp() {
        return ScoreTable.<String>builder()
                .add(CollectiveType.ALL_REDUCE, MemoryType.HOST, 0, 4096, 10, ucp("knomial", "generic"))
                .add(CollectiveType.ALL_REDUCE, MemoryType.HOST, 4096, INF, 10, ucp("sra", "generic"))
                .add(CollectiveType.BROADCAST, MemoryType.HOST, 0, INF, 10, ucp("knomial", "generic"))
                .add(CollectiveType.BARRIER, MemoryType.HOST, 0, INF, 10, ucp("generic"))
                .add(CollectiveType.ALL_TO_ALL, MemoryType.HOST, 0, INF, 10, ucp("generic"))
                .build();
    }

    private static List<SelectableAlgorithm<String>> ucp(String... algorithms) {
        return Arrays.stream(algorithms)
                .map(algorithm -> algorithm("ucp", algorithm))
                .toList();
    }

    static SelectableAlgorithm<String> algorithm(String component, String algorithm) {
        return new SelectableAlgorithm<>(component, algorithm, component + "'s " + algorithm);
    }

    /// Allreduce of one algorithm, "a", on some ranges.
    static ScoreTable<String> allreduce(String component, Piece... pieces) {
        ScoreTable.Builder<String> builder = ScoreTable.builder();
        for (Piece piece : pieces) {
            builder.add(
                    CollectiveType.ALL_REDUCE,
                    MemoryType.HOST,
                    piece.from,
                    piece.to,
                    piece.score,
                    List.of(algorithm(component, "a")));
        }
        return builder.build();
    }

    record Piece(long from, long to, int score) {}

    static Piece piece(long from, long to, int score) {
        return new Piece(from, to, score);
    }

    /// The string at work on the component's own table.
    static TuneResult<String> tuned(String text) {
        return ucp().update(Tune.parse(text, UCP), TEAM_SIZE);
    }

    /// The ranges for a collective, such as "[0, 4k) knomial 10, generic 10; [4k, inf) sra 10"; of components
    /// other than ucp with their names.
    static String text(ScoreTable<String> table, CollectiveType collective) {
        String prefix = collective.label() + " in host memory ";
        return table.lines().stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()).replace("ucp/", ""))
                .collect(Collectors.joining("; "));
    }

    static String text(ScoreTable<String> table) {
        return text(table, CollectiveType.ALL_REDUCE);
    }
}
