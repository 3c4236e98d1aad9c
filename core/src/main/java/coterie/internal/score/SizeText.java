// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.OptionalLong;

/// A number of bytes as users write it: `64`, `4k`, `1m`, `2gb`, `inf`.
public final class SizeText {
    /// Each 1024 times the one before.
    static final String UNITS = "kmgt";

    private SizeText() {}

    /// Returns the bytes, [Long#MAX_VALUE] for `inf`; empty if the text is no size.
    public static OptionalLong parse(String text) {
        SourceToken token = SourceToken.whole(text);
        try {
            return OptionalLong.of(ByteRange.size(token, token));
        } catch (TuneSyntaxException e) {
            return OptionalLong.empty(); // the caller knows the setting, and says what it allows
        }
    }

    /// Returns the shortest exact text, such as `4k`.
    public static String format(long bytes) {
        if (bytes == ByteRange.INFINITE) {
            return "inf";
        }
        int power = bytes == 0 ? 0 : Math.min(UNITS.length(), Long.numberOfTrailingZeros(bytes) / 10);
        return (bytes >> (10 * power)) + (power == 0 ? "" : UNITS.substring(power - 1, power));
    }
}
