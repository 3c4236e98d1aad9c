// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.IntegerView;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/// Lines of the program that have used signals first, where other ranks can read them for their messages.
final class FirstUseSites {
    private static final int SITES = 64;
    private static final int SITE_WORDS = 12;

    /// Words of 8 bytes in all.
    static final int WORDS = SITES * SITE_WORDS;

    /// A site that has found no room.
    private static final int UNKNOWN = 0;

    private static final String OWN_PACKAGE = "coterie.gin.";
    private static final StackWalker WALKER = StackWalker.getInstance();

    private final IntegerView words;
    private final long base;
    private int used;

    /// @param words of the communicator
    /// @param base of the texts
    FirstUseSites(IntegerView words, long base) {
        this.words = words;
        this.base = base;
    }

    /// Returns the number of the line of the program that is calling; [#UNKNOWN] if there is no room for it. A
    /// walk takes microseconds, so that the communicator notes few of them.
    synchronized int note() {
        if (used + 1 == SITES) {
            return UNKNOWN;
        }
        byte[] text = Arrays.copyOf(caller().getBytes(StandardCharsets.UTF_8), SITE_WORDS * Long.BYTES);
        int site = ++used;
        for (int word = 0; word < SITE_WORDS; word++) {
            long bits = 0;
            for (int i = Long.BYTES - 1; i >= 0; i--) {
                bits = (bits << Byte.SIZE) | (text[word * Long.BYTES + i] & 0xff);
            }
            words.set(base + (long) site * SITE_WORDS + word, bits);
        }
        return site;
    }

    private static String caller() {
        return WALKER.walk(frames -> frames.filter(frame -> !isOwn(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("an unknown line"));
    }

    /// Tests of this package count as programs.
    private static boolean isOwn(String name) {
        return (name.startsWith(OWN_PACKAGE) && !name.endsWith("Test") && !name.contains("Test$"))
                || name.startsWith("coterie.stream.")
                || name.startsWith("java.");
    }

    /// Reads a rank's site: a transfer from its memory.
    String text(int rank, int site) {
        if (site == UNKNOWN) {
            return String.format(Locale.ROOT, "rank %d", rank);
        }
        byte[] text = new byte[SITE_WORDS * Long.BYTES];
        for (int word = 0; word < SITE_WORDS; word++) {
            long bits = words.get(base + (long) site * SITE_WORDS + word, rank);
            for (int i = 0; i < Long.BYTES; i++, bits >>>= Byte.SIZE) {
                text[word * Long.BYTES + i] = (byte) bits;
            }
        }
        return "rank " + rank + " at " + new String(text, StandardCharsets.UTF_8).replace("\0", "");
    }
}
