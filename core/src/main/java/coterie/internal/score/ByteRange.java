// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.internal.memory.SizeText;
import java.util.List;

/// Sizes from one up to another, which is not one of them: `[from, to)`, in bytes.
///
/// @param from in `[0, to)`
/// @param to   at most [#INFINITE], which stands for no limit at all
record ByteRange(long from, long to) {
    static final long INFINITE = Long.MAX_VALUE;

    static final ByteRange ALL = new ByteRange(0, INFINITE);

    /// @throws IllegalArgumentException if it is empty or begins below 0
    ByteRange {
        if (from < 0 || from >= to) {
            throw new IllegalArgumentException(
                    "sizes [" + from + ", " + to + ") are no range; required: 0 ≤ from < to");
        }
    }

    boolean contains(long bytes) {
        return bytes >= from && (bytes < to || to == INFINITE);
    }

    boolean overlaps(ByteRange other) {
        return from < other.to && other.from < to;
    }

    static boolean overlap(List<ByteRange> some, List<ByteRange> others) {
        return some.stream().anyMatch(one -> others.stream().anyMatch(one::overlaps));
    }

    /// What of these is below a size.
    static List<ByteRange> below(long end, List<ByteRange> ranges) {
        return ranges.stream()
                .filter(each -> each.from < end)
                .map(each -> new ByteRange(each.from, Math.min(each.to, end)))
                .toList();
    }

    /// Reads `4k-1m`, `20-64`, `8k-inf`.
    ///
    /// @throws TuneSyntaxException if that is no range
    static ByteRange parse(SourceToken token) {
        List<SourceToken> ends = token.split('-');
        if (ends.size() != 2) {
            throw misread(token);
        }
        long from = size(ends.get(0), token);
        long to = size(ends.get(1), token);
        if (from >= to) {
            throw new TuneSyntaxException(token, "is an empty range of sizes", "FROM-TO where FROM is less than TO");
        }
        return new ByteRange(from, to);
    }

    /// Reads `4k`, `20`, `inf`.
    ///
    /// @param range of which it is an end, for the message
    /// @throws TuneSyntaxException if that is no size
    static long size(SourceToken token, SourceToken range) {
        if (token.is("inf")) {
            return INFINITE;
        }
        if (token.text().indexOf('.') >= 0) {
            throw misread(range); // UCC's tuning strings have whole numbers
        }
        return SizeText.parse(token.text()).orElseThrow(() -> misread(range));
    }

    private static TuneSyntaxException misread(SourceToken range) {
        return new TuneSyntaxException(
                range,
                "is not a range of sizes",
                "FROM-TO, each a whole number in [0, 2^63) with an optional suffix k, m, g or t, or inf");
    }

    /// The shortest exact text, such as "4k".
    private static String format(long bytes) {
        if (bytes == INFINITE) {
            return "inf";
        }
        return SizeText.format(bytes);
    }

    /// For people: "[4k, inf)".
    @Override
    public String toString() {
        return "[" + format(from) + ", " + format(to) + ")";
    }
}
