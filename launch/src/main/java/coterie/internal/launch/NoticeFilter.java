// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Passes on the lines of a PE, but for one that its JVM prints since the launcher, and not the user, has given an
/// option. It drops the first such line alone.
final class NoticeFilter implements LineTarget {
    private final byte[] notice;
    private final LineTarget target;
    private boolean met;

    /// @param notice the line, with its end
    NoticeFilter(String notice, LineTarget target) {
        this.notice = notice.getBytes(StandardCharsets.UTF_8);
        this.target = target;
    }

    @Override
    public void lines(byte[] bytes, int from, int to) throws IOException {
        int begin = met ? -1 : find(bytes, from, to);
        if (begin < 0) {
            target.lines(bytes, from, to);
            return;
        }
        met = true;
        int end = begin + notice.length;
        if (begin > from) {
            target.lines(bytes, from, begin);
        }
        if (end < to) {
            target.lines(bytes, end, to);
        }
    }

    private int find(byte[] bytes, int from, int to) {
        for (int start = from; start < to; ) {
            int end = Console.lineEnd(bytes, start, to);
            if (Arrays.equals(bytes, start, end, notice, 0, notice.length)) {
                return start;
            }
            start = end;
        }
        return -1;
    }
}
