// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A number of bytes as users write it, the same in all settings and options: `64`, `4k`, `1.5m`, `.5g`, `2gb`.
/// Each letter is 1024 times the one before, in upper or lower case. A fraction of a byte counts as a whole
/// one, as OpenSHMEM says.
public final class SizeText {
    /// What a size looks like, for messages.
    public static final String FORMS = "a number of bytes, or a number with k, m, g or t such as 512m or 1.5g";

    private static final String UNITS = "kmgt";

    /// Whole bytes, or a number with a unit, which may have a fraction; and letters after that. The bounds only
    /// keep the arithmetic small.
    private static final Pattern SIZE = Pattern.compile(
            "([0-9]{1,64})(b?)|([0-9]{1,64}(?:\\.[0-9]{1,64})?|\\.[0-9]{1,64})([kmgt])([a-z]*)",
            Pattern.CASE_INSENSITIVE);

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private SizeText() {}

    /// Reads a size in `[0, 2^63)`; empty if the text is none. A `b` or `ib` may follow the unit.
    public static OptionalLong parse(String text) {
        return read(text, false);
    }

    /// Reads a size in `[0, 2^63)` as OpenSHMEM reads `SHMEM_SYMMETRIC_SIZE`: it ignores letters after the
    /// unit, so that `20kk` is 20 KiB. Empty if the text is no size.
    public static OptionalLong parseHeap(String text) {
        return read(text, true);
    }

    private static OptionalLong read(String text, boolean ignoresLetters) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return OptionalLong.empty();
        }
        String whole = size.group(1);
        BigDecimal bytes;
        if (whole != null) {
            bytes = new BigDecimal(whole);
        } else if (ignoresLetters || isByte(size.group(5))) {
            int power = 1 + UNITS.indexOf(size.group(4).toLowerCase(Locale.ROOT));
            bytes = new BigDecimal(size.group(3))
                    .multiply(BigDecimal.valueOf(1L << (10 * power)))
                    .setScale(0, RoundingMode.CEILING);
        } else {
            return OptionalLong.empty();
        }
        return bytes.compareTo(MAX) <= 0 ? OptionalLong.of(bytes.longValue()) : OptionalLong.empty();
    }

    private static boolean isByte(String letters) {
        return letters.isEmpty() || letters.equalsIgnoreCase("b") || letters.equalsIgnoreCase("ib");
    }

    /// Returns the shortest exact text, such as "512m".
    public static String format(long bytes) {
        int power = bytes == 0 ? 0 : Math.min(UNITS.length(), Long.numberOfTrailingZeros(bytes) / 10);
        return (bytes >> (10 * power)) + (power == 0 ? "" : UNITS.substring(power - 1, power));
    }
}
