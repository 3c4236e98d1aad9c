// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Teams by their numbers of members, as tuning strings name them: `[2-8]`, `[4]`, `[2,4,16-inf]`.
///
/// @param spans at least one
record TeamSizes(List<Span> spans) {
    static final TeamSizes ALL = new TeamSizes(List.of(new Span(1, Integer.MAX_VALUE)));

    private static final String ALLOWED =
            "[N], [FROM-TO], [FROM-inf], or several with commas between, each a number in [1, 2^31), FROM ≤ TO";

    /// @param from members, the first
    /// @param to   members, the last
    private record Span(int from, int to) {
        @Override
        public String toString() {
            return from == to ? "" + from : from + "-" + (to == Integer.MAX_VALUE ? "inf" : "" + to);
        }
    }

    /// Reads a word that begins with `[`.
    ///
    /// @throws TuneSyntaxException if that is not all
    static TeamSizes parse(SourceToken token) {
        if (!token.text().endsWith("]")) {
            throw new TuneSyntaxException(token, "does not end with ]", ALLOWED);
        }
        List<Span> spans = new ArrayList<>();
        for (SourceToken part : token.part(1, token.text().length() - 1).split(',')) {
            spans.add(span(part));
        }
        return new TeamSizes(List.copyOf(spans));
    }

    private static Span span(SourceToken token) {
        List<SourceToken> ends = token.split('-');
        int from = ends.getFirst().number(Integer.MAX_VALUE);
        int to = ends.getLast().is("inf") && ends.size() == 2
                ? Integer.MAX_VALUE
                : ends.getLast().number(Integer.MAX_VALUE);
        if (ends.size() > 2 || from < 1 || to < 0) {
            throw new TuneSyntaxException(token, "is not a range of team sizes", ALLOWED);
        }
        if (from > to) {
            throw new TuneSyntaxException(token, "is an empty range of team sizes", ALLOWED);
        }
        return new Span(from, to);
    }

    boolean contain(int members) {
        return intersects(members, members);
    }

    boolean overlap(TeamSizes other) {
        return spans.stream().anyMatch(span -> other.intersects(span.from, span.to));
    }

    /// Whether they have one of `least` to `most` members.
    boolean intersects(int least, int most) {
        return spans.stream().anyMatch(span -> span.from <= most && least <= span.to);
    }

    /// The first and the last of each span within `least` to `most`.
    IntStream ends(int least, int most) {
        return spans.stream()
                .filter(span -> span.from <= most && least <= span.to)
                .flatMapToInt(span -> IntStream.of(Math.max(least, span.from), Math.min(most, span.to)));
    }

    @Override
    public String toString() {
        return spans.stream().map(Span::toString).collect(Collectors.joining(",", "[", "]"));
    }
}
