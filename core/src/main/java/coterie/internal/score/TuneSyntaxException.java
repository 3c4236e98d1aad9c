// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

/// Something that a person wrote can't be read.
final class TuneSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int column;
    private final String wrong;
    private final String allowed;

    /// @param wrong   a phrase that goes behind the word
    /// @param allowed what the word could be
    TuneSyntaxException(SourceToken sourceToken, String wrong, String allowed) {
        this(sourceToken.column(), "\"" + sourceToken.text() + "\" " + wrong, allowed);
    }

    /// @param wrong a sentence
    TuneSyntaxException(int column, String wrong, String allowed) {
        super("column " + column + ": " + wrong + "; allowed: " + allowed);
        this.column = column;
        this.wrong = wrong;
        this.allowed = allowed;
    }

    Diagnostic diagnostic(SourceToken token) {
        return new Diagnostic(Diagnostic.Kind.ERROR, column, token.text(), wrong, allowed);
    }
}
