// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.ElementType;
import coterie.internal.wait.WaitKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Names the words that members exchange, for the message when they differ.
final class Arguments {
    private Arguments() {}

    /// Who said what, grouped by value: "members disagree on the length: 1024 on PEs [0, 1], 512 on PEs [2]".
    static String disagreement(PeTeam team, WaitKind kind, int word) {
        Map<Long, List<Integer>> values = new LinkedHashMap<>();
        for (int member = 0; member < team.size(); member++) {
            values.computeIfAbsent(team.meeting().heard(member, word), value -> new ArrayList<>())
                    .add(team.pe(member));
        }
        return kind.words() + " #" + team.meeting().sequence() + " on team \"" + team.name() + "\", PE "
                + team.pe(team.member()) + ": members disagree on the " + name(kind, word) + ": "
                + values.entrySet().stream()
                        .map(value -> text(kind, word, value.getKey()) + " on PEs " + value.getValue())
                        .collect(Collectors.joining(", "));
    }

    private static String name(WaitKind kind, int word) {
        return switch (kind) {
            case SUM ->
                List.of("element type", "target's offset", "source's offset", "count")
                        .get(word);
            case BROADCAST ->
                List.of("root", "target's offset", "source's offset", "length").get(word);
            case ALLOCATE -> List.of("size", "alignment").get(word);
            case REALLOCATE -> List.of("size", "block").get(word);
            case FREE -> List.of("block").get(word);
            default -> "word " + word;
        };
    }

    /// A scalar sum's type is told as −1 − ordinal, so that it differs from a sum over memory.
    private static String text(WaitKind kind, int word, long value) {
        if (kind != WaitKind.SUM || word != 0) {
            return Long.toString(value);
        }
        return value < 0
                ? ElementType.values()[(int) (-1 - value)] + " (scalar)"
                : ElementType.values()[(int) value].name();
    }
}
