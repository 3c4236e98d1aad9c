// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.Reduction;
import coterie.internal.p2p.ArgumentSignature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What all members must mean alike by a request.
///
/// The word that they compare is a sum of all parts, each times an odd number of its own. So whoever has two words
/// can tell what the members differ in, though only words travel: if it is one part, the difference of the words,
/// divided by the part's number, is the difference of the parts, which is small for the right part, and for any
/// other is so by chance alone.
final class RequestSignature implements ArgumentSignature {
    /// In the order in which they are looked through: the smaller a part is, the less does chance hit it.
    private enum Part {
        IN_PLACE("the use of in-place buffers", 0x9E3779B97F4A7C15L, 1),
        TASK("the kind of work that their layer prepared", 0xD1B54A32D192ED03L, 1),
        ELEMENTS("the element type", 0xABC98388FB8FAC03L, 1 << 6),
        ROOT("the root", 0x8CB92BA72F3D8DD7L, 1 << 16),
        OPERATOR("the reduction", 0xE7037ED1A0B428DBL, 1L << 33),
        ALGORITHM("the algorithm", 0x8EBC6AF09C88C6E3L, 1L << 33),
        PIPELINE("the fragmentation of long vectors (settings …_PIPELINE)", 0x589965CC75374CC3L, 1L << 33),
        SELECTION(
                "the selection of algorithms (settings tls and tune, and the offers of layers)",
                0x1D8E4E27C47D124FL,
                1L << 40),
        BYTES("the number of bytes", 0xEB44ACCAB455D165L, 1L << 44);

        private static final List<Part> ALL = List.of(values());

        private final String words;
        private final long factor;
        private final long inverse;

        /// The largest difference.
        private final long most;

        Part(String words, long factor, long most) {
            this.words = words;
            this.factor = factor;
            this.most = most;
            this.inverse = inverse(factor);
        }

        /// Whether settings choose it.
        boolean isChosen() {
            return this == ALGORITHM || this == PIPELINE || this == SELECTION;
        }

        /// Modulo 2^64, by Newton: each step doubles the bits that are right, of which an odd number has three.
        private static long inverse(long odd) {
            long inverse = odd;
            for (int bits = 3; bits < Long.SIZE; bits *= 2) {
                inverse *= 2 - odd * inverse;
            }
            return inverse;
        }
    }

    private static final List<String> ELEMENTS =
            Arrays.stream(ElementType.values()).map(Enum::name).toList();
    private static final List<String> REDUCTIONS = names();

    private final Supplier<String> otherSettings;
    private final Supplier<List<String>> algorithms;
    private final long[] parts = new long[Part.ALL.size()];
    private final long signature;

    /// @param args what is asked for
    /// @param algorithm that serves, with its layer
    /// @param pipeline how it is cut
    /// @param isTask whether a layer that plugs in moves it by itself
    /// @param selection the digest of all that may serve
    /// @param algorithms all that may serve, each with its layer
    /// @param otherSettings settings that members don't have alike, for the end of a message
    RequestSignature(
            RequestArgs args,
            String algorithm,
            String pipeline,
            boolean isTask,
            long selection,
            Supplier<List<String>> algorithms,
            Supplier<String> otherSettings) {
        this.algorithms = algorithms;
        this.otherSettings = otherSettings;
        boolean isSized = switch (args.shape().type()) {
            case ALL_TO_ALL_V, GATHER_V, SCATTER_V -> false;
            default -> true;
        };
        set(Part.IN_PLACE, args.comparesInPlace() && args.shape().inPlace() ? 1 : 0);
        set(Part.TASK, isTask ? 1 : 0);
        set(Part.ELEMENTS, args.elements().ordinal());
        set(Part.ROOT, args.shape().root());
        set(Part.OPERATOR, operator(args));
        set(Part.ALGORITHM, positive(algorithm.hashCode()));
        set(Part.PIPELINE, positive(pipeline.hashCode()));
        set(Part.SELECTION, (selection ^ (selection >>> 40)) & ((1L << 40) - 1));
        set(Part.BYTES, isSized ? args.shape().bytes() : 0);
        this.signature = sum();
    }

    private RequestSignature(Supplier<String> otherSettings) {
        this.algorithms = List::of;
        this.otherSettings = otherSettings;
        this.signature = 0;
    }

    /// Returns the signature of what has no arguments. It tells what requests of others differ in.
    static ArgumentSignature none(Supplier<String> otherSettings) {
        return new RequestSignature(otherSettings);
    }

    private void set(Part part, long value) {
        parts[part.ordinal()] = value;
    }

    private static long positive(int hash) {
        return Integer.toUnsignedLong(hash);
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(List.of("none"));
        for (Reduction each : Reduction.values()) {
            names.add(each.name());
        }
        for (ExtendedReduction each : ExtendedReduction.values()) {
            names.add(each.name());
        }
        return names;
    }

    /// Its place among those that everybody knows; of a program's own, what its name and its size come to.
    private static long operator(RequestArgs args) {
        if (args.operator() == null) {
            return 0;
        }
        String name = args.operator().name();
        return args.operator() instanceof CustomReduction
                ? REDUCTIONS.size() + positive((name + " " + args.shape().width()).hashCode())
                : REDUCTIONS.indexOf(name);
    }

    private long sum() {
        long sum = 0;
        for (Part part : Part.ALL) {
            sum += parts[part.ordinal()] * part.factor;
        }
        return sum;
    }

    @Override
    public long signature() {
        return signature;
    }

    @Override
    public String difference(int onePe, long one, int otherPe, long other) {
        Difference pair = new Difference(onePe, one, otherPe, other);
        long whole = one - other;
        String single = single(pair, whole);
        if (single != null) {
            return "members disagree on " + single;
        }
        for (Part small : List.of(Part.ELEMENTS, Part.IN_PLACE, Part.TASK)) {
            for (long by = -small.most; by <= small.most; by++) {
                String rest = single(pair, whole - by * small.factor);
                if (rest != null) {
                    return "members disagree on " + small.words + values(small, by, pair) + "; and on " + rest;
                }
            }
        }
        String cause = causeOfAlgorithm(pair, whole);
        return "members disagree on "
                + (cause == null ? "several properties of the call" + otherSettings.get() : cause);
    }

    /// What two members differ in if they have chosen different algorithms because of it, such as the number of bytes;
    /// or null.
    private @Nullable String causeOfAlgorithm(Difference pair, long whole) {
        if (signature != pair.one && signature != pair.other) {
            return null;
        }
        long mine = parts[Part.ALGORITHM.ordinal()];
        for (String each : algorithms.get()) {
            long by = mine - positive(each.hashCode());
            String rest = single(pair, whole - (signature == pair.one ? by : -by) * Part.ALGORITHM.factor);
            if (rest != null) {
                return rest;
            }
        }
        return null;
    }

    /// Two members' words.
    private record Difference(int onePe, long one, int otherPe, long other) {}

    /// What two members differ in if a difference is that of one part, or null.
    private @Nullable String single(Difference pair, long difference) {
        for (Part part : Part.ALL) {
            long by = difference * part.inverse;
            if (by >= -part.most && by <= part.most) {
                return part.words + values(part, by, pair) + (part.isChosen() ? otherSettings.get() : "");
            }
        }
        return null;
    }

    /// What the two mean, if one of them means what I do and it is something that people know.
    private String values(Part part, long by, Difference pair) {
        long mine = parts[part.ordinal()];
        boolean isOne = signature == pair.one;
        if (!isOne && signature != pair.other) {
            return "";
        }
        String one = text(part, isOne ? mine : mine + by);
        String other = text(part, isOne ? mine - by : mine);
        return one.isEmpty() || other.isEmpty()
                ? ""
                : ": " + one + " on PE " + pair.onePe + ", " + other + " on PE " + pair.otherPe;
    }

    private static String name(List<String> names, long value) {
        return value >= 0 && value < names.size() ? names.get((int) value) : "";
    }

    private static String text(Part part, long value) {
        return switch (part) {
            case IN_PLACE -> value == 1 ? "yes" : "no";
            case ELEMENTS -> name(ELEMENTS, value);
            case ROOT, BYTES -> Long.toString(value);
            case OPERATOR -> name(REDUCTIONS, value);
            case TASK, ALGORITHM, PIPELINE, SELECTION -> "";
        };
    }
}
