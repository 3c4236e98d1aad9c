// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Merge and update against a model that goes byte by byte.
class ScorePropertyTest {
    private static final int ROUNDS = 200;
    private static final int DEFAULT_SCORE = 2;

    /// A table and its model.
    private record Both(ScoreTable<String> table, ByteModel model) {
        Both merge(Both other) {
            return new Both(table.merge(other.table), model.merge(other.model));
        }

        /// They offer the same for every size; ranges are in order, apart, not empty, and neighbours differ.
        void check() {
            ScoreMap<String> scoreMap = ScoreMap.of(table, 3);
            for (CollectiveType collective : CollectiveType.values()) {
                for (int size = 0; size < ByteModel.SIZES; size++) {
                    List<ByteModel.Rung> expected = model.at(collective, size);
                    assertThat(ByteModel.found(scoreMap, collective, size)).isEqualTo(expected);
                    assertThat(scoreMap.explain(collective, MemoryType.HOST, size)
                                    .candidates())
                            .extracting(candidate ->
                                    new ByteModel.Rung(candidate.component(), candidate.algorithm(), candidate.score()))
                            .isEqualTo(expected);
                }
                assertThat(ByteModel.found(scoreMap, collective, Long.MAX_VALUE))
                        .isEqualTo(model.at(collective, ByteModel.SIZES - 1));
                checkShape(table.scoreRanges(new CollectiveKey(collective, MemoryType.HOST))
                        .list());
            }
        }

        private static void checkShape(List<ScoreRange<String>> scoreRanges) {
            for (int index = 0; index < scoreRanges.size(); index++) {
                ScoreRange<String> scoreRange = scoreRanges.get(index);
                assertThat(scoreRange.bytes().from())
                        .isLessThan(scoreRange.bytes().to());
                assertThat(scoreRange.fallbacks().isEmpty()).isFalse();
                if (index > 0) {
                    ScoreRange<String> left = scoreRanges.get(index - 1);
                    assertThat(left.bytes().to())
                            .isLessThanOrEqualTo(scoreRange.bytes().from());
                    assertThat(left.bytes().to() == scoreRange.bytes().from()
                                    && left.fallbacks().equals(scoreRange.fallbacks()))
                            .isFalse();
                }
            }
        }
    }

    /// A component's own table: ranges by chance, of a few scores and algorithms, so that ties and gluing are
    /// common.
    private static Both component(String name, Random random) {
        ScoreTable.Builder<String> builder = ScoreTable.builder();
        ByteModel model = new ByteModel();
        for (CollectiveType collective : RandomTune.OFFERED) {
            List<Integer> starts = new ArrayList<>();
            for (int from = random.nextInt(3); from < ByteModel.SIZES; from += 1 + random.nextInt(5)) {
                starts.add(from);
            }
            List<Integer> order = new ArrayList<>(starts);
            Collections.shuffle(order, random);
            for (int from : order) {
                int place = starts.indexOf(from);
                int to = place + 1 < starts.size() ? starts.get(place + 1) : ByteModel.SIZES;
                addRange(builder, model, collective, name, random, from, to);
            }
        }
        return new Both(builder.build(), model);
    }

    private static void addRange(
            ScoreTable.Builder<String> builder,
            ByteModel model,
            CollectiveType collective,
            String name,
            Random random,
            int from,
            int to) {
        int score = List.of(0, 1, 2, 2, Score.INFINITE).get(random.nextInt(5));
        List<String> algorithms = new ArrayList<>(RandomTune.ALGORITHMS);
        Collections.shuffle(algorithms, random);
        List<String> some = algorithms.subList(0, 1 + random.nextInt(2));
        builder.add(
                collective,
                MemoryType.HOST,
                from,
                to == ByteModel.SIZES ? Long.MAX_VALUE : to,
                score,
                some.stream().map(each -> Tables.algorithm(name, each)).toList());
        for (int size = from; size < to && score > 0; size++) {
            model.set(
                    collective,
                    size,
                    some.stream()
                            .map(each -> new ByteModel.Rung(name, each, score))
                            .toList());
        }
    }

    private static AlgorithmTable<String> table(String name) {
        AlgorithmTable.Builder<String> builder = AlgorithmTable.builder(name, DEFAULT_SCORE);
        for (CollectiveType collective : RandomTune.OFFERED) {
            RandomTune.ALGORITHMS.forEach(each -> builder.add(collective, each, ""));
        }
        return builder.build();
    }

    @Test
    @DisplayName("UC-3 UC-5 UC-6 UC-9 merged tables offer what the model does, in any order of components")
    void mergeIsAsTheModelSays() {
        for (long seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            List<Both> components = new ArrayList<>();
            for (String name : List.of("a", "b", "c", "d")) {
                components.add(component(name, random));
            }
            components.forEach(Both::check);
            Both merged = components.stream().reduce(Both::merge).orElseThrow();
            merged.check();
            Collections.shuffle(components, random);
            Both left = components.get(0).merge(components.get(1));
            Both right = components.get(2).merge(components.get(3));
            assertThat(left.merge(right).table).as("seed %d", seed).isEqualTo(merged.table);
            assertThat(merged.merge(merged).table).as("seed %d", seed).isEqualTo(merged.table);
        }
    }

    @Test
    @DisplayName("UC-6 merging is associative even among tables of the same components")
    void mergeIsAssociative() {
        for (long seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            List<Both> some = new ArrayList<>();
            for (int table = 0; table < 3; table++) {
                some.add(component("a", random).merge(component("b", random)));
            }
            Both leftFirst = some.get(0).merge(some.get(1)).merge(some.get(2));
            Both rightFirst = some.get(0).merge(some.get(1).merge(some.get(2)));
            leftFirst.check();
            assertThat(leftFirst.table).as("seed %d", seed).isEqualTo(rightFirst.table);
        }
    }

    @Test
    @DisplayName(
            "UC-7 UC-8 UC-9 updated tables offer what the model does, and findings are those tokens that have none")
    void updateIsAsTheModelSays() {
        Map<Diagnostic.Kind, Integer> seen = new HashMap<>();
        for (long seed = 0; seed < 5 * ROUNDS; seed++) {
            Random random = new Random(seed);
            List<RandomTune.Token> tokens = new RandomTune(random).tokens();
            String text = tokens.stream().map(RandomTune.Token::text).collect(Collectors.joining("#"));
            int teamSize = 1 + random.nextInt(RandomTune.LARGEST_TEAM);
            Both tuned = component("b", random);
            Both others = component("a", random).merge(component("c", random));
            Both both = tuned.merge(others);

            Tune<String> tune = Tune.parse(text, table("b"));
            TuneResult<String> tuneResult = both.table.update(tune, teamSize);
            List<Optional<Diagnostic.Kind>> verdicts = verdicts(tokens, both.model, teamSize);
            List<String> findings = new ArrayList<>();
            for (int index = 0; index < tokens.size(); index++) {
                RandomTune.Token token = tokens.get(index);
                Optional<Diagnostic.Kind> verdict = verdicts.get(index);
                verdict.ifPresentOrElse(
                        kind -> findings.add(kind + " " + token.text()),
                        () -> both.model.update(token, "b", DEFAULT_SCORE));
            }
            assertThat(tuneResult.diagnostics())
                    .as("seed %d: %s", seed, text)
                    .extracting(diagnostic -> diagnostic.kind() + " " + diagnostic.token())
                    .isEqualTo(findings);
            tuneResult.diagnostics().forEach(diagnostic -> seen.merge(diagnostic.kind(), 1, Integer::sum));
            new Both(tuneResult.table(), both.model).check();
            assertThat(tuned.table.update(tune, teamSize).table().merge(others.table))
                    .as("seed %d: %s", seed, text)
                    .isEqualTo(tuneResult.table());
        }
        assertThat(seen.values()).hasSize(3).allMatch(times -> times > ROUNDS / 10);
    }

    /// The expected finding of each token, nothing if the token is to act.
    private static List<Optional<Diagnostic.Kind>> verdicts(
            List<RandomTune.Token> tokens, ByteModel model, int teamSize) {
        List<Optional<Diagnostic.Kind>> verdicts = new ArrayList<>();
        List<RandomTune.Token> used = new ArrayList<>();
        for (RandomTune.Token token : tokens) {
            if (token.wantsTheUnknown() || used.stream().anyMatch(token::overlaps)) {
                verdicts.add(Optional.of(Diagnostic.Kind.ERROR));
                continue;
            }
            used.add(token);
            verdicts.add(idle(token, model, teamSize));
        }
        return verdicts;
    }

    private static Optional<Diagnostic.Kind> idle(RandomTune.Token token, ByteModel model, int teamSize) {
        boolean selects = !token.algorithm().isEmpty();
        boolean adds = selects && token.score() != 0;
        if ((!selects && token.score() < 0) || !token.memories().contains("host")) {
            return Optional.of(Diagnostic.Kind.NO_EFFECT);
        }
        if (!token.teams().contains(teamSize)) {
            return Optional.of(Diagnostic.Kind.OTHER_TEAM_SIZE);
        }
        boolean acts = adds || finds(token, model);
        return acts ? Optional.empty() : Optional.of(Diagnostic.Kind.NO_EFFECT);
    }

    private static boolean finds(RandomTune.Token token, ByteModel model) {
        return token.meant().stream()
                .anyMatch(collective -> token.sizes().stream().anyMatch(size -> model.offers(collective, size, "b")));
    }

    @Test
    @DisplayName("two selections have the same digest exactly if they are the same")
    void digestsAreEqualIfSelectionsAre() {
        Map<ScoreTable<String>, Long> digests = new HashMap<>();
        Map<Long, ScoreTable<String>> tables = new HashMap<>();
        int again = 0;
        for (long seed = 0; seed < 10 * ROUNDS; seed++) {
            // Few ranges each, so that different steps give the same table.
            Random random = new Random(seed);
            int from = random.nextInt(3);
            int middle = from + 1 + random.nextInt(3);
            ScoreTable<String> left =
                    Tables.allreduce("a", Tables.piece(from, middle, 1 + random.nextInt(2)), Tables.piece(8, 9, 1));
            ScoreTable<String> right = Tables.allreduce(
                    random.nextBoolean() ? "a" : "b",
                    Tables.piece(middle, middle + 1 + random.nextInt(2), 1 + random.nextInt(2)));
            ScoreTable<String> table = left.merge(right);
            long digest = ScoreMap.of(table, 1).digest();
            Long before = digests.put(table, digest);
            again += before == null ? 0 : 1;
            assertThat(before).as("seed %d", seed).isIn(null, digest);
            assertThat(tables.put(digest, table)).as("seed %d", seed).isIn(null, table);
        }
        assertThat(again).isGreaterThan(ROUNDS);
        assertThat(digests.size()).isGreaterThan(ROUNDS / 10);
    }
}
