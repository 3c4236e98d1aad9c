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
final class TokenReader<F> {
    private final Repertoire<F> repertoire;
    private @Nullable Set<CollectiveType> collectives;
    private @Nullable Set<MemoryName> memories;
    private @Nullable List<ByteRange> sizes;
    private @Nullable TeamSizes teams;
    private @Nullable Word score;
    private @Nullable Word algorithm;

    private TokenReader(Repertoire<F> repertoire) {
        this.repertoire = repertoire;
    }

    /// @throws MisreadException if the token can't be used
    static <F> TuneToken<F> read(Word token, Repertoire<F> repertoire) {
        TokenReader<F> reader = new TokenReader<>(repertoire);
        for (Word qualifier : token.split(':')) {
            if (!qualifier.isEmpty()) {
                reader.readQualifier(qualifier);
            }
        }
        return reader.token(token);
    }

    private void readQualifier(Word word) {
        if (word.startsWith('@')) {
            once(algorithm, word, "algorithms");
            algorithm = word;
        } else if (word.startsWith('[')) {
            once(teams, word, "sets of team sizes");
            teams = TeamSizes.parse(word);
        } else if (isSizes(word)) {
            once(sizes, word, "sets of sizes");
            sizes = parseSizes(word);
        } else if (word.startsWithDigit() || word.is("inf")) {
            once(score, word, "scores");
            score = word;
        } else {
            readNames(word);
        }
    }

    private static boolean isSizes(Word word) {
        List<Word> ends = word.split('-');
        return ends.size() > 1 && (word.startsWithDigit() || ends.getFirst().is("inf"));
    }

    private static void once(@Nullable Object before, Word word, String kind) {
        if (before != null) {
            throw new MisreadException(word, "makes two " + kind + " of one token", "one");
        }
    }

    private void readNames(Word word) {
        List<Word> names = word.split(',');
        if (collective(names.getFirst()).isPresent()) {
            once(collectives, word, "lists of collectives");
            collectives = EnumSet.noneOf(CollectiveType.class);
            for (Word name : names) {
                collectives.add(collective(name)
                        .orElseThrow(() -> new MisreadException(name, "is not a collective", collectiveNames())));
            }
        } else if (MemoryName.named(names.getFirst()).isPresent()) {
            once(memories, word, "lists of memories");
            memories = EnumSet.noneOf(MemoryName.class);
            for (Word name : names) {
                memories.add(MemoryName.named(name)
                        .orElseThrow(() -> new MisreadException(name, "is not a memory", MemoryName.all())));
            }
        } else {
            throw new MisreadException(
                    names.getFirst(),
                    "is not known",
                    "collectives (" + collectiveNames() + "), memories (" + MemoryName.all()
                            + "), a score such as 10 or inf, sizes such as 4k-1m, team sizes such as [2-8],"
                            + " or an algorithm such as @ring");
        }
    }

    private static Optional<CollectiveType> collective(Word word) {
        return CollectiveType.named(word.text());
    }

    private static List<ByteRange> parseSizes(Word word) {
        List<ByteRange> sizes = new ArrayList<>();
        for (Word part : word.split(',')) {
            ByteRange range = ByteRange.parse(part);
            if (ByteRange.overlap(sizes, List.of(range))) {
                throw new MisreadException(part, "overlaps sizes before it", "sizes that do not");
            }
            sizes.add(range);
        }
        return List.copyOf(sizes);
    }

    private TuneToken<F> token(Word text) {
        return new TuneToken<>(
                text,
                collectives == null ? EnumSet.allOf(CollectiveType.class) : collectives,
                memories == null ? EnumSet.allOf(MemoryName.class) : memories,
                sizes == null ? List.of(ByteRange.ALL) : sizes,
                teams == null ? TeamSizes.ALL : teams,
                score == null ? TuneToken.UNSAID : parseScore(score),
                algorithm == null ? Map.of() : resolve(algorithm));
    }

    private static int parseScore(Word word) {
        int score = word.is("inf") ? Score.INFINITE : word.number(Score.HIGHEST);
        if (score < 0) {
            throw new MisreadException(word, "is not a score", "a whole number in [0, " + Score.HIGHEST + "], or inf");
        }
        return score;
    }

    /// Without collectives in the token, all that the component has are meant, and each must have the algorithm.
    private Map<CollectiveType, Candidate<F>> resolve(Word word) {
        Word name = word.part(1, word.text().length());
        Map<CollectiveType, Candidate<F>> resolved = new EnumMap<>(CollectiveType.class);
        for (CollectiveType collective : collectives == null ? repertoire.collectives() : collectives) {
            resolved.put(
                    collective, repertoire.find(collective, name).orElseThrow(() -> unknown(word, name, collective)));
        }
        return resolved;
    }

    private MisreadException unknown(Word word, Word name, CollectiveType collective) {
        String wrong = "names no algorithm of " + repertoire.component() + " for " + collective.word();
        String having = repertoire.collectives().stream()
                .filter(each -> repertoire.find(each, name).isPresent())
                .map(CollectiveType::word)
                .collect(Collectors.joining(", "));
        return new MisreadException(
                word,
                wrong,
                repertoire.names(collective) + (having.isEmpty() ? "" : "; it is one of " + having + " alone"));
    }

    static String collectiveNames() {
        return Arrays.stream(CollectiveType.values()).map(CollectiveType::word).collect(Collectors.joining(", "));
    }
}
