// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

/// Something that a person wrote can't be read.
final class MisreadException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int column;
    private final String wrong;
    private final String allowed;

    /// @param wrong   a phrase that goes behind the word
    /// @param allowed what the word could be
    MisreadException(Word word, String wrong, String allowed) {
        this(word.column(), "\"" + word.text() + "\" " + wrong, allowed);
    }

    /// @param wrong a sentence
    MisreadException(int column, String wrong, String allowed) {
        super("column " + column + ": " + wrong + "; allowed: " + allowed);
        this.column = column;
        this.wrong = wrong;
        this.allowed = allowed;
    }

    Finding finding(Word token) {
        return new Finding(Finding.Kind.ERROR, column, token.text(), wrong, allowed);
    }
}
