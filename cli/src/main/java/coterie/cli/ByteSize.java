// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sizes in bytes, as users write them: `4096`, `64k`, `512m`, `1.5g`, `1t`; each letter is 1024 times the one
/// before.
final class ByteSize {
    private static final String UNITS = "kmgt";

    /// Whole bytes, or a number with a letter, which may have a fraction.
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18})|([0-9]{1,18}(?:\\.[0-9]{1,18})?)([kmgtKMGT])");

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private ByteSize() {}

    /// Parses a size; a fraction of a byte is dropped.
    ///
    /// @param what the option or variable, for the message
    /// @throws UsageException if the text is not a size in `[1, 2^63)`
    static long parse(String what, String text) {
        Matcher size = SIZE.matcher(text);
        if (size.matches()) {
            String letter = size.group(3);
            int power = letter == null ? 0 : 1 + UNITS.indexOf(letter.toLowerCase(Locale.ROOT));
            BigDecimal number = new BigDecimal(letter == null ? size.group(1) : size.group(2));
            BigDecimal bytes = number.multiply(BigDecimal.valueOf(1L << (10 * power)));
            if (bytes.compareTo(BigDecimal.ONE) >= 0 && bytes.compareTo(MAX) <= 0) {
                return bytes.longValue();
            }
        }
        throw new UsageException(what + " " + text
                + ": expected a size: a number of bytes, or a number with k, m, g or t such as 512m or 1.5g");
    }

    /// Returns the shortest exact text, such as "512m".
    static String format(long bytes) {
        int power = bytes == 0 ? 0 : Math.min(UNITS.length(), Long.numberOfTrailingZeros(bytes) / 10);
        return (bytes >> (10 * power)) + (power == 0 ? "" : UNITS.substring(power - 1, power));
    }
}
