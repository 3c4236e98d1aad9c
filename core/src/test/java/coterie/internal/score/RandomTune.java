// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Tuning strings by chance, with their meaning set by set.
final class RandomTune {
    /// What the component has.
    static final List<CollectiveType> OFFERED =
            List.of(CollectiveType.ALL_REDUCE, CollectiveType.BROADCAST, CollectiveType.BARRIER);

    private static final List<CollectiveType> COLLECTIVES =
            List.of(CollectiveType.ALL_REDUCE, CollectiveType.BROADCAST, CollectiveType.BARRIER, CollectiveType.GATHER);

    static final List<String> ALGORITHMS = List.of("u", "v", "w");
    static final int LARGEST_TEAM = 6;

    private static final List<String> MEMORIES = List.of("host", "cuda", "cuda_managed", "rocm", "rocm_managed");

    /// @param column      where it is in the string
    /// @param collectives all there are, if it names none
    /// @param sizes       as the model counts
    /// @param score       or -1
    /// @param algorithm   or ""
    record Token(
            String text,
            int column,
            Set<CollectiveType> collectives,
            Set<String> memories,
            Set<Integer> sizes,
            Set<Integer> teams,
            int score,
            String algorithm) {
        /// A token for a memory that is not here, or for a collective that the component has not, overlaps none.
        /// A token that wants nothing overlaps none either.
        boolean overlaps(Token other) {
            Set<CollectiveType> both = new TreeSet<>(collectives);
            both.retainAll(other.collectives);
            return wants()
                    && other.wants()
                    && !Collections.disjoint(both, OFFERED)
                    && memories.contains("host")
                    && other.memories.contains("host")
                    && !Collections.disjoint(sizes, other.sizes)
                    && !Collections.disjoint(teams, other.teams);
        }

        /// Whether it wants an algorithm of a collective that the component does not have.
        boolean wantsTheUnknown() {
            return !algorithm.isEmpty() && namesCollectives() && collectives.contains(CollectiveType.GATHER);
        }

        private boolean wants() {
            return score >= 0 || !algorithm.isEmpty();
        }

        private boolean namesCollectives() {
            return collectives.size() < CollectiveType.values().length;
        }

        /// What it is to act on: an algorithm without collectives is for all that the component has.
        Set<CollectiveType> meant() {
            Set<CollectiveType> meant = new TreeSet<>(collectives);
            if (!algorithm.isEmpty()) {
                meant.retainAll(OFFERED);
            }
            return meant;
        }
    }

    private final Random random;

    RandomTune(Random random) {
        this.random = random;
    }

    /// Tokens of one string, with `#` between.
    List<Token> tokens() {
        List<Token> tokens = new ArrayList<>();
        int column = 1;
        for (int left = 1 + random.nextInt(4); left > 0; left--) {
            Token token = token(column);
            tokens.add(token);
            column += token.text.length() + 1;
        }
        return tokens;
    }

    private Token token(int column) {
        List<String> qualifiers = new ArrayList<>();
        Set<CollectiveType> collectives = new TreeSet<>(Arrays.asList(CollectiveType.values()));
        if (random.nextInt(4) > 0) {
            collectives = some(COLLECTIVES);
            qualifiers.add(collectives.stream().map(CollectiveType::label).collect(Collectors.joining(",")));
        }
        Set<String> memories = new TreeSet<>(MEMORIES);
        if (random.nextInt(3) == 0) {
            memories = random.nextBoolean() ? new TreeSet<>(List.of("host")) : some(MEMORIES);
            qualifiers.add(String.join(",", memories));
        }
        Set<Integer> sizes = upTo(0, ByteModel.SIZES - 1);
        if (random.nextInt(3) > 0) {
            sizes.clear();
            qualifiers.add(sizes(sizes));
        }
        Set<Integer> teams = upTo(1, LARGEST_TEAM);
        if (random.nextInt(3) == 0) {
            teams.clear();
            qualifiers.add(teams(teams));
        }
        int score = -1;
        if (random.nextInt(3) > 0) {
            score = List.of(0, 1, 2, 3, Score.INFINITE).get(random.nextInt(5));
            qualifiers.add(Score.format(score));
        }
        String algorithm = "";
        if (random.nextInt(3) == 0) {
            int number = random.nextInt(ALGORITHMS.size());
            algorithm = ALGORITHMS.get(number);
            qualifiers.add("@" + (random.nextBoolean() ? algorithm : "" + number));
        }
        if (qualifiers.isEmpty()) {
            qualifiers.add("host");
            memories = new TreeSet<>(List.of("host"));
        }
        Collections.shuffle(qualifiers, random);
        String text = inSomeCase(String.join(":", qualifiers));
        return new Token(text, column, collectives, memories, sizes, teams, score, algorithm);
    }

    /// One or two ranges.
    private String sizes(Set<Integer> sizes) {
        List<String> texts = new ArrayList<>();
        int from = random.nextInt(ByteModel.SIZES);
        do {
            int to = from + 1 + random.nextInt(ByteModel.SIZES - from);
            sizes.addAll(upTo(from, to - 1));
            texts.add(from + "-" + (to == ByteModel.SIZES ? "inf" : "" + to));
            from = to + random.nextInt(2);
        } while (from < ByteModel.SIZES && random.nextBoolean());
        Collections.shuffle(texts, random);
        return String.join(",", texts);
    }

    private String teams(Set<Integer> teams) {
        int from = 1 + random.nextInt(LARGEST_TEAM);
        int to = from + random.nextInt(LARGEST_TEAM - from + 1);
        teams.addAll(upTo(from, to));
        return from == to ? "[" + from + "]" : "[" + from + "-" + to + "]";
    }

    private <T> Set<T> some(List<T> all) {
        Set<T> some = new TreeSet<>();
        some.add(all.get(random.nextInt(all.size())));
        for (T each : all) {
            if (random.nextInt(3) == 0) {
                some.add(each);
            }
        }
        return some;
    }

    private String inSomeCase(String text) {
        return text.chars()
                .mapToObj(letter -> String.valueOf((char) letter))
                .map(letter -> random.nextBoolean() ? letter.toUpperCase(Locale.ROOT) : letter)
                .collect(Collectors.joining());
    }

    private static Set<Integer> upTo(int first, int last) {
        Set<Integer> numbers = new TreeSet<>();
        for (int number = first; number <= last; number++) {
            numbers.add(number);
        }
        return numbers;
    }
}
