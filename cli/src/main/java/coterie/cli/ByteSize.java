// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.HeapText;
import java.util.OptionalLong;

/// Sizes in bytes, as users write them: `4096`, `64k`, `512m`, `1.5g`, `.5t`; each letter is 1024 times the one
/// before.
final class ByteSize {
    private ByteSize() {}

    /// Parses a size; a fraction of a byte counts as a whole one.
    ///
    /// @param what the option or variable, for the message
    /// @throws UsageException if the text is not a size in `[1, 2^63)`
    static long parse(String what, String text) {
        OptionalLong bytes = HeapText.parse(text);
        if (bytes.isEmpty() || bytes.getAsLong() == 0) {
            boolean isVisible = !text.isEmpty() && text.chars().noneMatch(Character::isWhitespace);
            String shown = isVisible ? text : '"' + text + '"';
            throw new UsageException(what + " " + shown + ": expected a size in [1, 2^63): " + HeapText.FORMS);
        }
        return bytes.getAsLong();
    }

    /// Returns the shortest exact text, such as "512m".
    static String format(long bytes) {
        return HeapText.format(bytes);
    }
}
