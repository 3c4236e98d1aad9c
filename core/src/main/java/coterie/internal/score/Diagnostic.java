// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

/// What is to be said of a token of a tuning string.
///
/// @param kind    how bad it is
/// @param column  where in the string, from 1: of the word that is meant, or of the token
/// @param token   the token as it was written
/// @param wrong   what is wrong, a sentence without its full stop
/// @param allowed what could be there instead
public record Diagnostic(Kind kind, int column, String token, String wrong, String allowed) {
    /// How bad it is.
    public enum Kind {
        /// the token can't be used, and is not
        ERROR,
        /// the token can be read and changes nothing
        NO_EFFECT,
        /// the token is for teams of other sizes
        OTHER_TEAM_SIZE
    }

    static Diagnostic noEffect(SourceToken token, String wrong, String allowed) {
        return new Diagnostic(Kind.NO_EFFECT, token.column(), token.text(), wrong, allowed);
    }

    /// One line for people.
    @Override
    public String toString() {
        String verdict = kind == Kind.ERROR ? "is not used" : "has no effect";
        return "column " + column + ": \"" + token + "\" " + verdict + ": " + wrong + "; allowed: " + allowed;
    }
}
