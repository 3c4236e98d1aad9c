// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.wait.OperationKind;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;

/// Names the words that members exchange, for the message when they differ.
public final class ArgumentMismatch {
    /// The word behind the arguments: their checksum. If it alone differs, members select their algorithms otherwise.
    public static final int CHECKSUM = ArgumentRecord.ARGUMENTS;

    private static final String TYPE = "element type";
    private static final String REDUCTION = "reduction";
    private static final String TARGET = "target's offset";
    private static final String SOURCE = "source's offset";
    private static final String COUNT = "count";
    private static final String SELECTION = "selection of algorithms (settings tls and tune, and the offers of layers)";

    private ArgumentMismatch() {}

    /// Returns what members mean by an argument of the latest round, grouped by value: "members disagree on the length:
    /// 1024 on PEs [0, 1], 512 on PEs [2]".
    ///
    /// @param values by member
    static String disagreement(SyncRound round, OperationKind kind, int word, IntToLongFunction values) {
        return round.messagePrefix(kind)
                + disagreement(round, kind, word, PeRanges.byValue(round.membership, values::applyAsLong));
    }

    /// The same of what is known of some members.
    ///
    /// @param values the PEs that have said each
    public static String disagreement(SyncRound round, OperationKind kind, int word, Map<Long, List<Integer>> values) {
        return "members disagree on the " + name(kind, word)
                + ": "
                + values.entrySet().stream()
                        .map(value -> text(kind, word, value.getKey()) + " on PEs " + value.getValue())
                        .collect(Collectors.joining(", "))
                + (name(kind, word).equals(SELECTION) ? round.differingSettings() : "");
    }

    private static String name(OperationKind kind, int word) {
        List<String> names = switch (kind) {
            case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, REDUCE_SCATTER ->
                List.of(REDUCTION, TARGET, SOURCE, COUNT);
            case ALL_GATHER_V, ALL_GATHER, ALL_TO_ALL -> List.of(TYPE, TARGET, SOURCE, COUNT);
            case BROADCAST -> List.of(TYPE, TARGET, SOURCE, COUNT, "", "root"); // the last argument of a record
            case ALL_TO_ALL_STRIDED -> List.of(TYPE, TARGET, SOURCE, COUNT, "target's stride", "source's stride");
            case REDUCE, REDUCE_SCATTER_V -> List.of(REDUCTION, "", "", COUNT, "", "root");
            case FAN_IN, FAN_OUT -> List.of("", "", "", "", "", "root");
            case GATHER, GATHER_V, SCATTER, SCATTER_V, ALL_TO_ALL_V -> List.of(TYPE, "", "", COUNT, "", "root");
            case ALLOCATE -> List.of("size", "alignment");
            case STAGING -> List.of("size (setting STAGING_KIB)", "alignment");
            case CREATE_BARRIERS -> List.of("bytes of all keys", "alignment");
            case REALLOCATE -> List.of("size", "block");
            case FREE -> List.of("block");
            case SPLIT_STRIDED -> List.of("answer", "start", "stride", "size", "config");
            case SPLIT_2D -> List.of("answer", "xSize");
            default -> List.of();
        };
        return word < names.size() ? names.get(word) : word == CHECKSUM ? SELECTION : "word " + word;
    }

    private static String text(OperationKind kind, int word, long value) {
        String name = name(kind, word);
        if (name.equals(SELECTION)) {
            return Long.toHexString(value);
        }
        return name.equals(TYPE) || name.equals(REDUCTION) ? ElementSignature.text(value) : Long.toString(value);
    }
}
