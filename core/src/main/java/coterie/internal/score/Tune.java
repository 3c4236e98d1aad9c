// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a person wants of a component: a tuning string, in the grammar of `UCC_TL_<NAME>_TUNE`.
///
/// ```
///  string      token ( # token )*               empty tokens are nothing
///  token       qualifier ( : qualifier )*       in any order, each kind at most once
///  qualifier   collectives                      allreduce,bcast      without: all
///              memories                         host                 without: all
///              sizes                            0-4k,1m-inf          without: all; [from, to) in bytes, k m g t
///              team sizes                       [2-8] [4,16-inf]     without: all; both ends belong to it
///              score                            10 or inf            0 takes away
///              algorithm                        @ring or @4          its name or number
/// ```
///
/// Upper and lower case are the same. A token with a score alone leaves the algorithm as it is. A token that can't
/// be used is left out, and said; the others are used. Where two tokens want something for the same, the second
/// can't be used.
public final class Tune<F> {
    /// Of teams up to so many members, what ways can carry differs from size to size.
    private static final int FEW = 9;

    private final AlgorithmTable<F> table;
    private final String text;
    private final List<TuneToken<F>> tokens;
    private final List<Diagnostic> errors;

    private Tune(AlgorithmTable<F> table, String text, List<TuneToken<F>> tokens, List<Diagnostic> errors) {
        this.table = table;
        this.text = text;
        this.tokens = List.copyOf(tokens);
        this.errors = List.copyOf(errors);
    }

    /// Reads a string. Whether a token has an effect turns out at [ScoreTable#update], as far as [#diagnostics]
    /// can't tell.
    ///
    /// @param table of the component that the string is for
    public static <F> Tune<F> parse(String text, AlgorithmTable<F> table) {
        List<TuneToken<F>> tokens = new ArrayList<>();
        List<Diagnostic> errors = new ArrayList<>();
        for (SourceToken sourceToken : SourceToken.whole(text).split('#')) {
            if (sourceToken.isEmpty()) {
                continue;
            }
            try {
                TuneToken<F> token = TuneTokenReader.read(sourceToken, table);
                refuseOverlap(token, tokens, table);
                tokens.add(token);
            } catch (TuneSyntaxException misread) {
                errors.add(misread.diagnostic(sourceToken));
            }
        }
        return new Tune<>(table, text, tokens, errors);
    }

    private static <F> void refuseOverlap(TuneToken<F> token, List<TuneToken<F>> before, AlgorithmTable<F> table) {
        for (TuneToken<F> each : before) {
            if (token.overlaps(each, table.collectives())) {
                throw new TuneSyntaxException(
                        token.text().column(),
                        "it overlaps \"" + each.text().text() + "\" at column "
                                + each.text().column(),
                        "tokens that differ in collectives, memories, sizes or team sizes");
            }
        }
    }

    /// Whether the string is exactly `0`: the component is not to be made at all.
    public boolean switchesOff() {
        return text.equals("0");
    }

    /// The tokens that can't be used, in their order.
    public List<Diagnostic> errors() {
        return errors;
    }

    /// What is to be said of the string whatever the component offers: tokens that can't be used, and those
    /// without effect on all teams of some sizes.
    ///
    /// @param least members of the smallest team that the component serves
    /// @param most  members of the largest
    public List<Diagnostic> diagnostics(int least, int most) {
        List<Diagnostic> diagnostics = new ArrayList<>(errors);
        for (TuneToken<F> token : tokens) {
            findIdle(token, least, most).ifPresent(diagnostics::add);
        }
        diagnostics.sort(Comparator.comparingInt(Diagnostic::column));
        return List.copyOf(diagnostics);
    }

    private Optional<Diagnostic> findIdle(TuneToken<F> token, int least, int most) {
        if (!token.teams().intersects(least, most)) {
            String sizes = least >= most ? "" + most : least + " – " + most;
            return Optional.of(Diagnostic.noEffect(
                    token.text(),
                    "the token is for teams of " + token.teams() + ", but " + table.component() + " serves teams of "
                            + sizes,
                    least >= most ? "[" + most + "]" : "[" + least + "-" + most + "], or no team sizes"));
        }
        return findIdle(token).or(() -> findStranger(token));
    }

    /// Why a token changes nothing for any component, if so.
    static Optional<Diagnostic> findIdle(TuneToken<?> token) {
        if (token.wantsNothing()) {
            return Optional.of(Diagnostic.noEffect(
                    token.text(),
                    "it has neither a score nor an algorithm",
                    "a score such as 10 or inf, @algorithm, or both"));
        }
        return token.memoryTypes().isEmpty()
                ? Optional.of(Diagnostic.noEffect(
                        token.text(), "Coterie does not use this type of memory", MemoryType.HOST.label()))
                : Optional.empty();
    }

    private Optional<Diagnostic> findStranger(TuneToken<F> token) {
        return token.collectives().stream().anyMatch(table.collectives()::contains)
                ? Optional.empty()
                : Optional.of(Diagnostic.noEffect(
                        token.text(),
                        table.component() + " offers none of the token's collectives",
                        table.collectives().stream().map(CollectiveType::label).collect(Collectors.joining(", "))));
    }

    /// The sizes of teams on which something may be different, within `least` to `most`: small ones, the largest,
    /// and the ends of what its tokens name.
    public List<Integer> teamSizes(int least, int most) {
        IntStream few = IntStream.rangeClosed(least, Math.min(most, FEW));
        IntStream named = tokens.stream().flatMapToInt(token -> token.teams().ends(least, most));
        return Stream.of(few, named, IntStream.of(least, most))
                .flatMapToInt(each -> each)
                .distinct()
                .sorted()
                .boxed()
                .toList();
    }

    AlgorithmTable<F> table() {
        return table;
    }

    List<TuneToken<F>> tokens() {
        return tokens;
    }

    @Override
    public String toString() {
        return text;
    }
}
