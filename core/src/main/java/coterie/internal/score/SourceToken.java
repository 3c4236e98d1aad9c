// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.ArrayList;
import java.util.List;

/// A part of what a person wrote, and where.
///
/// @param column of its first character, from 1
record SourceToken(String text, int column) {

    /// All of it.
    static SourceToken whole(String text) {
        return new SourceToken(text, 1);
    }

    /// The parts between separators; there is always one, and any may be empty.
    List<SourceToken> split(char separator) {
        List<SourceToken> parts = new ArrayList<>();
        int begin = 0;
        for (int end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, begin)) {
            parts.add(part(begin, end));
            begin = end + 1;
        }
        parts.add(part(begin, text.length()));
        return parts;
    }

    SourceToken part(int begin, int end) {
        return new SourceToken(text.substring(begin, end), column + begin);
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    /// Whether it is this, in upper or lower case.
    boolean is(String other) {
        return text.equalsIgnoreCase(other);
    }

    boolean startsWith(char first) {
        return !isEmpty() && text.charAt(0) == first;
    }

    boolean startsWithDigit() {
        return !isEmpty() && isDigit(text.charAt(0));
    }

    /// The number that it is, if it is one in `[0, highest]`; else -1.
    long number(long highest) {
        if (isEmpty()) {
            return -1;
        }
        long number = 0;
        for (int index = 0; index < text.length(); index++) {
            int digit = text.charAt(index) - '0';
            if (!isDigit(text.charAt(index)) || number > (highest - digit) / 10) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    /// The number that it is, if it is one in `[0, highest]`; else -1.
    int number(int highest) {
        return (int) number((long) highest);
    }

    /// Of the digits of many alphabets, those that sizes and scores are written with.
    static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }
}
