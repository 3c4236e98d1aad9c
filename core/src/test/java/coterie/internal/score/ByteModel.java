// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What a table is to offer, byte by byte: the naive way, without ranges. The last size stands for all above.
final class ByteModel {
    /// Sizes are 0, 1, … up to this, which is not one.
    static final int SIZES = 12;

    record Rung(String component, String algorithm, int score) {}

    private final Map<CollectiveType, List<List<Rung>>> offers = new EnumMap<>(CollectiveType.class);

    ByteModel() {
        for (CollectiveType collective : CollectiveType.values()) {
            List<List<Rung>> sizes = new ArrayList<>();
            for (int size = 0; size < SIZES; size++) {
                sizes.add(List.of());
            }
            offers.put(collective, sizes);
        }
    }

    List<Rung> at(CollectiveType collective, int size) {
        return offers.get(collective).get(size);
    }

    void set(CollectiveType collective, int size, List<Rung> rungs) {
        offers.get(collective).set(size, List.copyOf(rungs));
    }

    ByteModel merge(ByteModel other) {
        ByteModel merged = new ByteModel();
        for (CollectiveType collective : CollectiveType.values()) {
            for (int size = 0; size < SIZES; size++) {
                merged.set(collective, size, merge(at(collective, size), other.at(collective, size)));
            }
        }
        return merged;
    }

    /// Puts candidates one after the other where they belong: before the first that is worse.
    private static List<Rung> merge(List<Rung> left, List<Rung> right) {
        List<Rung> merged = new ArrayList<>(left);
        for (Rung rung : right) {
            int place = 0;
            while (place < merged.size() && !isWorse(merged.get(place), rung)) {
                place++;
            }
            merged.add(place, rung);
        }
        for (int place = merged.size() - 1; place > 0; place--) {
            Rung rung = merged.get(place);
            if (merged.subList(0, place).stream().anyMatch(better -> isSame(better, rung))) {
                merged.remove(place);
            }
        }
        return merged;
    }

    private static boolean isWorse(Rung one, Rung other) {
        return one.score != other.score ? one.score < other.score : one.component.compareTo(other.component) > 0;
    }

    private static boolean isSame(Rung one, Rung other) {
        return one.component.equals(other.component) && one.algorithm.equals(other.algorithm);
    }

    /// Has a token act, which can be used and is for this team.
    void update(RandomTune.Token token, String component, int defaultScore) {
        for (CollectiveType collective : token.meant()) {
            for (int size : token.sizes()) {
                List<Rung> mine = new ArrayList<>();
                List<Rung> others = new ArrayList<>();
                for (Rung rung : at(collective, size)) {
                    (rung.component.equals(component) ? mine : others).add(rung);
                }
                if (!token.algorithm().isEmpty()) {
                    int score = mine.isEmpty() ? defaultScore : mine.getFirst().score;
                    Rung first = new Rung(component, token.algorithm(), score);
                    mine.removeIf(rung -> isSame(rung, first));
                    mine.addFirst(first);
                }
                set(collective, size, merge(others, rescored(mine, token.score())));
            }
        }
    }

    private static List<Rung> rescored(List<Rung> mine, int score) {
        if (score < 0 || mine.isEmpty()) {
            return mine;
        }
        List<Rung> rescored = new ArrayList<>();
        for (Rung rung : score == 0 ? List.<Rung>of() : mine) {
            int its = rescored.isEmpty() || rung.score > score ? score : rung.score;
            rescored.add(new Rung(rung.component, rung.algorithm, its));
        }
        return rescored;
    }

    boolean offers(CollectiveType collective, int size, String component) {
        return at(collective, size).stream().anyMatch(rung -> rung.component.equals(component));
    }

    /// What a selection finds for a size.
    static List<Rung> found(ScoreMap<String> scoreMap, CollectiveType collective, long bytes) {
        List<Rung> found = new ArrayList<>();
        SelectedAlgorithm<String> selected = scoreMap.find(collective, MemoryType.HOST, bytes);
        for (; selected != null; selected = selected.next()) {
            found.add(new Rung(
                    selected.algorithm().component(), selected.algorithm().algorithm(), selected.score()));
        }
        return found;
    }
}
