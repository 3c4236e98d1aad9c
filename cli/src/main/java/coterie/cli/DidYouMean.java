// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.SystemInfo;
import java.util.List;

/// Suggests a word for a mistyped one.
final class DidYouMean {
    private DidYouMean() {}

    /// Returns "; did you mean …?" with the candidate nearest to a mistyped word, or an empty string if none is
    /// near.
    static String question(String word, List<String> candidates) {
        int maxEdits = 1 + word.length() / 4; // a word with more mistakes is another word
        return SystemInfo.nearest(word, candidates, maxEdits)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
    }
}
