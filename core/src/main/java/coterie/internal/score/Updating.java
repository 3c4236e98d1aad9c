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
final class Updating<F> {
    /// Sizes in a slot.
    private record Place(Slot slot, ByteRange bytes) {
        @Override
        public String toString() {
            return slot.collective().word() + " " + bytes;
        }
    }

    private final Tune<F> tune;
    private final int teamSize;
    private final String component;

    Updating(Tune<F> tune, int teamSize) {
        this.tune = tune;
        this.teamSize = teamSize;
        this.component = tune.repertoire().component();
    }

    Updated<F> update(ScoreTable<F> table) {
        List<Finding> findings = new ArrayList<>(tune.errors());
        ScoreTable<F> updated = table;
        for (TuneToken<F> token : tune.tokens()) {
            Optional<Finding> idle = findIdle(token, table);
            if (idle.isPresent()) {
                findings.add(idle.get());
            } else {
                updated = apply(token, updated);
            }
        }
        findings.sort(Comparator.comparingInt(Finding::column));
        return new Updated<>(updated, List.copyOf(findings));
    }

    private ScoreTable<F> apply(TuneToken<F> token, ScoreTable<F> table) {
        ScoreTable<F> updated = table;
        for (Slot slot : slots(token)) {
            for (ByteRange sizes : token.sizes(slot.collective(), tune.repertoire())) {
                updated = updated.change(
                        slot,
                        sizes,
                        ladder -> ladder.change(
                                component,
                                its -> token.apply(
                                        slot.collective(),
                                        its,
                                        tune.repertoire().defaultScore())));
            }
        }
        return updated;
    }

    /// Why a token changes nothing, if so. Tokens do not overlap, so that those before it make no difference.
    private Optional<Finding> findIdle(TuneToken<F> token, ScoreTable<F> table) {
        Word text = token.text();
        Optional<Finding> idle = Tune.findIdle(token);
        if (idle.isPresent()) {
            return idle;
        }
        if (!token.teams().contain(teamSize)) {
            return Optional.of(new Finding(
                    Finding.Kind.OTHER_TEAM_SIZE,
                    text.column(),
                    text.text(),
                    "it is for teams of " + token.teams() + ", this one is of " + teamSize,
                    "[" + teamSize + "], or no team sizes"));
        }
        List<Slot> slots = slots(token);
        if (token.adds()) {
            return slots.stream()
                            .allMatch(slot -> token.sizes(slot.collective(), tune.repertoire())
                                    .isEmpty())
                    ? Optional.of(Finding.noEffect(
                            text, "its algorithm can't serve any of its sizes on this team", limits(token)))
                    : Optional.empty();
        }
        List<Place> places = places(table);
        List<Place> meant =
                places.stream().filter(place -> slots.contains(place.slot)).toList();
        if (meant.stream().anyMatch(place -> ByteRange.overlap(List.of(place.bytes), token.sizes()))) {
            return Optional.empty();
        }
        if (meant.isEmpty()) {
            return Optional.of(
                    Finding.noEffect(text, component + " offers none of its collectives", collectives(places)));
        }
        return Optional.of(Finding.noEffect(
                text,
                component + " offers nothing for its sizes",
                meant.stream().map(Place::toString).collect(Collectors.joining(", "))));
    }

    /// What the algorithms of a token can serve.
    private String limits(TuneToken<F> token) {
        return token.algorithms().entrySet().stream()
                .map(each -> {
                    long end = tune.repertoire().end(each.getKey(), each.getValue());
                    String its = end == 0 ? "nothing" : new ByteRange(0, end).toString();
                    return each.getKey().word() + " " + its + " by "
                            + each.getValue().algorithm();
                })
                .collect(Collectors.joining(", "));
    }

    /// Where the component offers something.
    private List<Place> places(ScoreTable<F> table) {
        List<Place> places = new ArrayList<>();
        for (Slot slot : Slot.all()) {
            for (Range<F> range : table.ranges(slot).list()) {
                if (range.ladder().has(component)) {
                    places.add(new Place(slot, range.bytes()));
                }
            }
        }
        return places;
    }

    private static String collectives(List<Place> places) {
        return places.isEmpty()
                ? "nothing"
                : places.stream()
                        .map(place -> place.slot.collective().word())
                        .distinct()
                        .collect(Collectors.joining(", "));
    }

    private List<Slot> slots(TuneToken<F> token) {
        Set<MemoryType> memories = token.memoryTypes();
        Set<CollectiveType> collectives = token.algorithms().isEmpty()
                ? token.collectives()
                : token.algorithms().keySet();
        return Slot.all().stream()
                .filter(slot -> collectives.contains(slot.collective()) && memories.contains(slot.memory()))
                .toList();
    }
}
