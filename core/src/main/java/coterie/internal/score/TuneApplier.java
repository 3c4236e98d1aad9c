// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Has a tuning string act on a table, for a team of a size.
final class TuneApplier<F> {
    /// Sizes in a slot.
    private record SlotRange(CollectiveKey key, ByteRange bytes) {
        @Override
        public String toString() {
            return key.collective().label() + " " + bytes;
        }
    }

    private final Tune<F> tune;
    private final int teamSize;
    private final String component;

    TuneApplier(Tune<F> tune, int teamSize) {
        this.tune = tune;
        this.teamSize = teamSize;
        this.component = tune.table().component();
    }

    TuneResult<F> update(ScoreTable<F> table) {
        List<Diagnostic> diagnostics = new ArrayList<>(tune.errors());
        ScoreTable<F> updated = table;
        for (TuneToken<F> token : tune.tokens()) {
            Optional<Diagnostic> idle = findIdle(token, table);
            if (idle.isPresent()) {
                diagnostics.add(idle.get());
            } else {
                updated = apply(token, updated);
            }
        }
        diagnostics.sort(Comparator.comparingInt(Diagnostic::column));
        return new TuneResult<>(updated, List.copyOf(diagnostics));
    }

    private ScoreTable<F> apply(TuneToken<F> token, ScoreTable<F> table) {
        ScoreTable<F> updated = table;
        for (CollectiveKey key : keys(token)) {
            for (ByteRange sizes : token.sizes(key.collective(), tune.table())) {
                updated = updated.change(
                        key,
                        sizes,
                        fallbacks -> fallbacks.change(
                                component,
                                its -> token.apply(
                                        key.collective(), its, tune.table().defaultScore())));
            }
        }
        return updated;
    }

    /// Why a token changes nothing, if so. Tokens do not overlap, so that those before it make no difference.
    private Optional<Diagnostic> findIdle(TuneToken<F> token, ScoreTable<F> table) {
        SourceToken text = token.text();
        Optional<Diagnostic> idle = Tune.findIdle(token);
        if (idle.isPresent()) {
            return idle;
        }
        if (!token.teams().contain(teamSize)) {
            return Optional.of(new Diagnostic(
                    Diagnostic.Kind.OTHER_TEAM_SIZE,
                    text.column(),
                    text.text(),
                    "the token is for teams of " + token.teams() + ", but this team has " + teamSize,
                    "[" + teamSize + "], or no team sizes"));
        }
        List<CollectiveKey> keys = keys(token);
        if (token.adds()) {
            return keys.stream()
                            .allMatch(key ->
                                    token.sizes(key.collective(), tune.table()).isEmpty())
                    ? Optional.of(Diagnostic.noEffect(
                            text, "the algorithm can't serve any of the token's sizes on this team", limits(token)))
                    : Optional.empty();
        }
        List<SlotRange> slotRanges = slotRanges(table);
        List<SlotRange> meant = slotRanges.stream()
                .filter(slotRange -> keys.contains(slotRange.key))
                .toList();
        if (meant.stream().anyMatch(slotRange -> ByteRange.overlap(List.of(slotRange.bytes), token.sizes()))) {
            return Optional.empty();
        }
        if (meant.isEmpty()) {
            return Optional.of(Diagnostic.noEffect(
                    text, component + " offers none of the token's collectives", collectives(slotRanges)));
        }
        return Optional.of(Diagnostic.noEffect(
                text,
                component + " offers nothing for the token's sizes",
                meant.stream().map(SlotRange::toString).collect(Collectors.joining(", "))));
    }

    /// What the algorithms of a token can serve.
    private String limits(TuneToken<F> token) {
        return token.algorithms().entrySet().stream()
                .map(each -> {
                    long end = tune.table().end(each.getKey(), each.getValue());
                    String its = end == 0 ? "nothing" : new ByteRange(0, end).toString();
                    return each.getKey().label() + " " + its + " by "
                            + each.getValue().algorithm();
                })
                .collect(Collectors.joining(", "));
    }

    /// Where the component offers something.
    private List<SlotRange> slotRanges(ScoreTable<F> table) {
        List<SlotRange> slotRanges = new ArrayList<>();
        for (CollectiveKey key : CollectiveKey.all()) {
            for (ScoreRange<F> scoreRange : table.scoreRanges(key).list()) {
                if (scoreRange.fallbacks().has(component)) {
                    slotRanges.add(new SlotRange(key, scoreRange.bytes()));
                }
            }
        }
        return slotRanges;
    }

    private String collectives(List<SlotRange> slotRanges) {
        return slotRanges.isEmpty()
                ? "no token, since " + component + " serves no collective of this team"
                : slotRanges.stream()
                        .map(slotRange -> slotRange.key.collective().label())
                        .distinct()
                        .collect(Collectors.joining(", "));
    }

    private List<CollectiveKey> keys(TuneToken<F> token) {
        Set<MemoryType> memories = token.memoryTypes();
        Set<CollectiveType> collectives = token.algorithms().isEmpty()
                ? token.collectives()
                : token.algorithms().keySet();
        return CollectiveKey.all().stream()
                .filter(key -> collectives.contains(key.collective()) && memories.contains(key.memory()))
                .toList();
    }
}
