// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads one token of a tuning string: its qualifiers come in any order, each kind at most once.
final class TuneTokenReader<F> {
    private final AlgorithmTable<F> table;
    private @Nullable Set<CollectiveType> collectives;
    private @Nullable Set<MemoryTypeName> memories;
    private @Nullable List<ByteRange> sizes;
    private @Nullable TeamSizes teams;
    private @Nullable SourceToken score;
    private @Nullable SourceToken algorithm;

    private TuneTokenReader(AlgorithmTable<F> table) {
        this.table = table;
    }

    /// @throws TuneSyntaxException if the token can't be used
    static <F> TuneToken<F> read(SourceToken token, AlgorithmTable<F> table) {
        TuneTokenReader<F> reader = new TuneTokenReader<>(table);
        for (SourceToken qualifier : token.split(':')) {
            if (!qualifier.isEmpty()) {
                reader.readQualifier(qualifier);
            }
        }
        return reader.token(token);
    }

    private void readQualifier(SourceToken sourceToken) {
        if (sourceToken.startsWith('@')) {
            once(algorithm, sourceToken, "algorithms");
            algorithm = sourceToken;
        } else if (sourceToken.startsWith('[')) {
            once(teams, sourceToken, "sets of team sizes");
            teams = TeamSizes.parse(sourceToken);
        } else if (isSizes(sourceToken)) {
            once(sizes, sourceToken, "sets of sizes");
            sizes = parseSizes(sourceToken);
        } else if (sourceToken.startsWithDigit() || sourceToken.is("inf")) {
            once(score, sourceToken, "scores");
            score = sourceToken;
        } else {
            readNames(sourceToken);
        }
    }

    private static boolean isSizes(SourceToken sourceToken) {
        List<SourceToken> ends = sourceToken.split('-');
        return ends.size() > 1
                && (sourceToken.startsWithDigit()
                        || sourceToken.startsWith('.')
                        || ends.getFirst().is("inf"));
    }

    private static void once(@Nullable Object before, SourceToken sourceToken, String kind) {
        if (before != null) {
            throw new TuneSyntaxException(sourceToken, "gives the token two " + kind, "one");
        }
    }

    private void readNames(SourceToken sourceToken) {
        List<SourceToken> names = sourceToken.split(',');
        if (collective(names.getFirst()).isPresent()) {
            once(collectives, sourceToken, "lists of collectives");
            collectives = EnumSet.noneOf(CollectiveType.class);
            for (SourceToken name : names) {
                collectives.add(collective(name)
                        .orElseThrow(() -> new TuneSyntaxException(name, "is not a collective", collectiveNames())));
            }
        } else if (MemoryTypeName.named(names.getFirst()).isPresent()) {
            once(memories, sourceToken, "lists of memories");
            memories = MemoryTypeName.read(names);
        } else {
            throw new TuneSyntaxException(
                    names.getFirst(),
                    "is not known",
                    "collectives (" + collectiveNames() + "), memories (" + MemoryTypeName.all()
                            + "), a score such as 10 or inf, sizes such as 4k-1m, team sizes such as [2-8],"
                            + " or an algorithm such as @ring");
        }
    }

    private static Optional<CollectiveType> collective(SourceToken sourceToken) {
        return CollectiveType.named(sourceToken.text());
    }

    private static List<ByteRange> parseSizes(SourceToken sourceToken) {
        List<ByteRange> sizes = new ArrayList<>();
        for (SourceToken part : sourceToken.split(',')) {
            ByteRange range = ByteRange.parse(part);
            if (ByteRange.overlap(sizes, List.of(range))) {
                throw new TuneSyntaxException(
                        part, "overlaps an earlier range of the token", "ranges that do not overlap");
            }
            sizes.add(range);
        }
        return List.copyOf(sizes);
    }

    private TuneToken<F> token(SourceToken text) {
        return new TuneToken<>(
                text,
                collectives == null ? EnumSet.allOf(CollectiveType.class) : collectives,
                memories == null ? EnumSet.allOf(MemoryTypeName.class) : memories,
                sizes == null ? List.of(ByteRange.ALL) : sizes,
                teams == null ? TeamSizes.ALL : teams,
                score == null ? TuneToken.UNSAID : parseScore(score),
                algorithm == null ? Map.of() : resolve(algorithm));
    }

    private static int parseScore(SourceToken sourceToken) {
        int score = sourceToken.is("inf") ? Score.INFINITE : sourceToken.number(Score.HIGHEST);
        if (score < 0) {
            throw new TuneSyntaxException(
                    sourceToken, "is not a score", "a whole number in [0, " + Score.HIGHEST + "], or inf");
        }
        return score;
    }

    /// Without collectives in the token, all that the component has are meant, and each must have the algorithm.
    private Map<CollectiveType, SelectableAlgorithm<F>> resolve(SourceToken sourceToken) {
        SourceToken name = sourceToken.part(1, sourceToken.text().length());
        Map<CollectiveType, SelectableAlgorithm<F>> resolved = new EnumMap<>(CollectiveType.class);
        for (CollectiveType collective : collectives == null ? table.collectives() : collectives) {
            resolved.put(
                    collective, table.find(collective, name).orElseThrow(() -> unknown(sourceToken, name, collective)));
        }
        return resolved;
    }

    private TuneSyntaxException unknown(SourceToken sourceToken, SourceToken name, CollectiveType collective) {
        String wrong = "names no algorithm of " + table.component() + " for " + collective.label();
        String having = table.collectives().stream()
                .filter(each -> table.find(each, name).isPresent())
                .map(CollectiveType::label)
                .collect(Collectors.joining(", "));
        return new TuneSyntaxException(
                sourceToken,
                wrong,
                table.names(collective) + (having.isEmpty() ? "" : "; only " + having + " has this algorithm"));
    }

    static String collectiveNames() {
        return Arrays.stream(CollectiveType.values()).map(CollectiveType::label).collect(Collectors.joining(", "));
    }
}
