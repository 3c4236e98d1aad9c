// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The launcher's own stdout and stderr. The launcher writes whole lines, never in the middle of a PE's line,
/// even if both streams lead to one file. It bypasses `System.out`, which would hide a closed pipe.
final class Console {
    /// How the launcher's own lines begin.
    private static final String OWN = "coterie:";

    private final boolean hasColor = Terminal.hasColor(Terminal.ERR, System.getenv());
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);

    private synchronized void write(boolean standardError, byte[] bytes, int from, int to) throws IOException {
        (standardError ? err : out).write(bytes, from, to - from);
    }

    /// Prints a line of the launcher to stderr. The launcher ignores a failure of this write, because it has no
    /// other place to report the failure.
    void print(String line) {
        boolean isOwn = hasColor && line.startsWith(OWN);
        String shown = isOwn ? Terminal.Style.BOLD.of(OWN, true).concat(line.substring(OWN.length())) : line;
        byte[] bytes = shown.concat("\n").getBytes(StandardCharsets.UTF_8);
        try {
            write(true, bytes, 0, bytes.length);
        } catch (IOException e) {
            return;
        }
    }

    /// Returns a target that writes a PE's lines unchanged.
    LineTarget plain(boolean standardError) {
        return new LineTarget() {
            @Override
            public void lines(byte[] bytes, int from, int to) throws IOException {
                write(standardError, bytes, from, to);
            }
        };
    }

    /// Returns a target that writes `[pe] ` before each line of a PE.
    LineTarget tagged(boolean standardError, int pe) {
        return new Tagged(standardError, pe);
    }

    /// Returns a target for a PE's stderr that writes `[pe] ` before the lines of thread dumps only. Without the
    /// tag a reader can't know which PE printed a dump.
    LineTarget taggedDumps(int pe) {
        return new TaggedDumps(pe);
    }

    private class Tagged implements LineTarget {
        private final boolean standardError;
        private final byte[] tag;
        private byte[] buffer = new byte[8192];
        private int length;

        Tagged(boolean standardError, int pe) {
            this.standardError = standardError;
            this.tag = "[".concat(Integer.toString(pe)).concat("] ").getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public void lines(byte[] bytes, int from, int to) throws IOException {
            for (int start = from; start < to; ) {
                int end = lineEnd(bytes, start, to);
                if (isTagged(bytes, start, end)) {
                    append(tag, 0, tag.length);
                }
                append(bytes, start, end);
                start = end;
            }
            write(standardError, buffer, 0, length);
            length = 0;
        }

        boolean isTagged(byte[] bytes, int from, int to) {
            return true;
        }

        private void append(byte[] bytes, int from, int to) {
            int needed = length + to - from;
            if (needed > buffer.length) {
                buffer = Arrays.copyOf(buffer, Math.max(needed, 2 * buffer.length));
            }
            System.arraycopy(bytes, from, buffer, length, to - from);
            length = needed;
        }
    }

    /// The last section of a thread dump describes the heap, and a blank line ends that section.
    private final class TaggedDumps extends Tagged {
        private static final String BEGIN = "Full thread dump";
        private static final String LAST_SECTION = "Heap\n";

        private boolean inDump;
        private boolean inLastSection;

        TaggedDumps(int pe) {
            super(true, pe);
        }

        @Override
        boolean isTagged(byte[] bytes, int from, int to) {
            if (!inDump) {
                inDump = startsWith(bytes, from, to, BEGIN);
                inLastSection = false;
                return inDump;
            }
            inLastSection |= startsWith(bytes, from, to, LAST_SECTION);
            inDump = !(inLastSection && to - from == 1);
            return inDump;
        }
    }

    /// Returns the index after the line that begins at `from`.
    static int lineEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '\n') {
            at++;
        }
        return Math.min(at + 1, to);
    }

    /// Returns whether a line begins with `prefix`, which is ASCII.
    private static boolean startsWith(byte[] bytes, int from, int to, String prefix) {
        if (to - from < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (bytes[from + i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
