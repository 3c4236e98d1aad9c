// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

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
/// be used is left out, and said; the others are used. Where two tokens speak of the same, the second can't be
/// used.
public final class Tune<F> {
    private final Repertoire<F> repertoire;
    private final String text;
    private final List<TuneToken<F>> tokens;
    private final List<Finding> errors;

    private Tune(Repertoire<F> repertoire, String text, List<TuneToken<F>> tokens, List<Finding> errors) {
        this.repertoire = repertoire;
        this.text = text;
        this.tokens = List.copyOf(tokens);
        this.errors = List.copyOf(errors);
    }

    /// Reads a string. Whether a token has an effect turns out at [ScoreTable#update].
    ///
    /// @param repertoire of the component that the string is for
    public static <F> Tune<F> parse(String text, Repertoire<F> repertoire) {
        List<TuneToken<F>> tokens = new ArrayList<>();
        List<Finding> errors = new ArrayList<>();
        for (Word word : Word.whole(text).split('#')) {
            if (word.isEmpty()) {
                continue;
            }
            try {
                TuneToken<F> token = TokenReader.read(word, repertoire);
                refuseOverlap(token, tokens);
                tokens.add(token);
            } catch (MisreadException misread) {
                errors.add(misread.finding(word));
            }
        }
        return new Tune<>(repertoire, text, tokens, errors);
    }

    /// Reads a string that must be free of errors.
    ///
    /// @param setting what has the string, for the message
    /// @throws IllegalArgumentException if a token can't be used; the message has all of these with their columns
    public static <F> Tune<F> parseStrictly(String setting, String text, Repertoire<F> repertoire) {
        Tune<F> tune = parse(text, repertoire);
        if (!tune.errors.isEmpty()) {
            throw new IllegalArgumentException(tune.errors.stream()
                    .map(Finding::toString)
                    .collect(Collectors.joining("\n", setting + "=" + text + " can't be used:\n", "")));
        }
        return tune;
    }

    private static void refuseOverlap(TuneToken<?> token, List<? extends TuneToken<?>> before) {
        for (TuneToken<?> each : before) {
            if (token.overlaps(each)) {
                throw new MisreadException(
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
    public List<Finding> errors() {
        return errors;
    }

    Repertoire<F> repertoire() {
        return repertoire;
    }

    List<TuneToken<F>> tokens() {
        return tokens;
    }

    @Override
    public String toString() {
        return text;
    }
}
