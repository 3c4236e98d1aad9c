// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

/// Sizes in bytes, as users write them: `4096`, `64k`, `512m`, `2g`, `1t`; each letter is 1024 times the one
/// before.
final class ByteSize {
    private static final String UNITS = "kmgt";

    private ByteSize() {}

    /// Parses a size.
    ///
    /// @param what the option, for the message
    /// @throws UsageException if the text is not a size in `[1, 2^63)`
    static long parse(String what, String text) {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        int power = 0;
        if (digits == text.length() - 1) {
            power = 1 + UNITS.indexOf(Character.toLowerCase(text.charAt(digits)));
        }
        boolean readable = digits > 0 && digits <= 18 && (digits == text.length() || power > 0);
        long count = readable ? Long.parseLong(text.substring(0, digits)) : 0;
        if (count < 1 || count > Long.MAX_VALUE >> (10 * power)) {
            throw new UsageException(what + " " + text
                    + ": expected a size: a number of bytes, or a number with k, m, g or t such as 512m or 2g");
        }
        return count << (10 * power);
    }

    /// Returns the shortest exact text, such as "512m".
    static String format(long bytes) {
        int power = bytes == 0 ? 0 : Math.min(UNITS.length(), Long.numberOfTrailingZeros(bytes) / 10);
        return (bytes >> (10 * power)) + (power == 0 ? "" : UNITS.substring(power - 1, power));
    }
}
