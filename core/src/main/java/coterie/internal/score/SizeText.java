// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.OptionalLong;

/// A number of bytes as users write it: `64`, `4k`, `1m`, `2gb`, `inf`.
public final class SizeText {
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
}
