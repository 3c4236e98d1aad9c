// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.internal.component.AskedCollective;
import coterie.internal.p2p.RunArguments;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.sync.KnownOperators;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// What all members must mean alike by a request, as the [RunArguments] of its runs.
final class RequestArguments {
    /// Where each argument is in the words, and whether settings choose it.
    private enum Argument {
        ELEMENTS("the element type", 0, 0, 8),
        IN_PLACE("the use of in-place buffers", 0, 8, 1),
        ROOT("the root", 0, 16, 32),
        OPERATOR("the reduction", 1, 0, 64),
        BYTES("the number of bytes", 2, 0, 64),
        TASK("the kind of work that their layer prepared", 0, 9, 1),
        ALGORITHM("the algorithm", 3, 32, 32),
        PIPELINE("the fragmentation of long vectors (settings …_PIPELINE)", 3, 0, 32),
        SELECTION("the selection of algorithms (settings tls and tune, and the offers of layers)", 4, 0, 64);

        private final String name;
        private final int word;
        private final int shift;
        private final long mask;

        Argument(String name, int word, int shift, int bits) {
            this.name = name;
            this.word = word;
            this.shift = shift;
            this.mask = -1L >>> (Long.SIZE - bits);
        }

        boolean isChosen() {
            return compareTo(BYTES) > 0;
        }

        long of(long[] words) {
            return words[word] >>> shift & mask;
        }

        void set(long[] words, long value) {
            words[word] |= (value & mask) << shift;
        }
    }

    /// In the first word: there are arguments.
    private static final long KNOWN = 1L << 63;

    private RequestArguments() {}

    /// @param asked what is asked for
    /// @param algorithm that serves, with its layer
    /// @param pipeline how it is cut
    /// @param isTask whether a layer that plugs in moves it by itself
    /// @param selection the digest of all that may serve
    static RunArguments of(AskedCollective asked, String algorithm, String pipeline, boolean isTask, long selection) {
        long[] words = new long[RunArguments.COUNT];
        words[0] = KNOWN;
        Argument.ELEMENTS.set(words, asked.elements().ordinal());
        Argument.IN_PLACE.set(
                words, comparesInPlace(asked.shape()) && asked.shape().inPlace() ? 1 : 0);
        Argument.ROOT.set(words, asked.shape().root());
        Argument.OPERATOR.set(words, operator(asked));
        Argument.BYTES.set(words, asked.shape().bytes());
        Argument.TASK.set(words, isTask ? 1 : 0);
        Argument.ALGORITHM.set(words, algorithm.hashCode());
        Argument.PIPELINE.set(words, pipeline.hashCode());
        Argument.SELECTION.set(words, selection);
        return RunArguments.of(words);
    }

    /// Whether members are in place all or none, so that they can compare it. Where only the root has both, they
    /// are not; where a block of any length is empty, its owner can't tell. All members see alike which it is.
    private static boolean comparesInPlace(CollectiveShape shape) {
        return switch (shape.type()) {
            case BARRIER, FAN_IN, FAN_OUT, BROADCAST, REDUCE, GATHER, GATHER_V, SCATTER, SCATTER_V, ALL_TO_ALL_V ->
                false;
            case ALL_GATHER_V -> shape.target().lengths().allMatch(bytes -> bytes > 0);
            case REDUCE_SCATTER_V -> shape.source().lengths().allMatch(bytes -> bytes > 0);
            case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, ALL_GATHER, ALL_TO_ALL, REDUCE_SCATTER -> true;
        };
    }

    /// Its place among those that all members know; of a program's own, what its name and its size come to.
    private static long operator(AskedCollective asked) {
        ReductionOperator<?> operator = asked.operator();
        return KnownOperators.number(operator) + KnownOperators.own(operator);
    }

    /// Returns what names the arguments in which two members differ: those that programs pass, or, if these are equal,
    /// those that settings choose.
    ///
    /// @param otherSettings settings that members don't have alike, for the end of a message
    static RunArguments.Difference difference(Supplier<String> otherSettings) {
        return (onePe, one, otherPe, other) -> {
            if ((one[0] & other[0] & KNOWN) == 0) {
                return "";
            }
            Predicate<Argument> differs = each -> each.of(one) != each.of(other);
            boolean isChosen = Arrays.stream(Argument.values()).filter(differs).allMatch(Argument::isChosen);
            return Arrays.stream(Argument.values())
                    .filter(each -> differs.test(each) && each.isChosen() == isChosen)
                    .map(each -> each.name + values(each, onePe, each.of(one), otherPe, each.of(other)))
                    .collect(Collectors.joining(
                            "; and on ", "members disagree on ", isChosen ? otherSettings.get() : ""));
        };
    }

    /// What the two mean, if people know it.
    private static String values(Argument argument, int onePe, long one, int otherPe, long other) {
        String ones = text(argument, one);
        String others = text(argument, other);
        return ones.isEmpty() || others.isEmpty()
                ? ""
                : ": " + ones + " on PE " + onePe + ", " + others + " on PE " + otherPe;
    }

    private static String text(Argument argument, long value) {
        return switch (argument) {
            case IN_PLACE -> value == 1 ? "yes" : "no";
            case ELEMENTS -> ElementType.values()[(int) value].name();
            case ROOT, BYTES -> Long.toString(value);
            case OPERATOR ->
                value == 0 ? "none" : value < KnownOperators.CUSTOM ? KnownOperators.name((int) value) : "";
            case TASK, ALGORITHM, PIPELINE, SELECTION -> "";
        };
    }
}
