// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.SystemInfo;
import java.util.List;

/// Finds what somebody may have meant.
final class DidYouMean {
    private DidYouMean() {}

    /// "; did you mean …?" with the candidate nearest to a mistyped word, or nothing if none is near.
    static String question(String word, List<String> candidates) {
        int most = 1 + word.length() / 4; // more mistakes than that in one word are no mistakes
        return SystemInfo.nearest(word, candidates, most)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
    }
}
