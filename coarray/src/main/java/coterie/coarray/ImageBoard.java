// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;
import coterie.Team;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// What an image publishes for the others, in 64-bit words of symmetric memory:
///
/// ```
///  EPOCH      number of stopped images; they add to it on all others
///  CODE       the stop code of this image
///  ERROR      0, or which image ends the job by an error stop, in the initial team, times 256, plus its code
///  STOPPED    for each PE whether it has stopped, from that PE
///  PAIRS      for each PE its latest sync images with this image, from that PE
///  slots      one for each team of this image
/// ```
///
/// A slot of a team:
///
/// ```
///  TOKEN      which team it is
///  PHASE      the latest statement of this image on this team, times 256, plus a step of its formation
///  STATEMENT  the latest statement of this image on this team, times 256, plus the code of its kind
///  DETAIL     what that statement passes, where the images compare it
///  COUNT      the elements that it passes
///  TEXT       0, or 1 + the bytes of the text of what it allocates
///  DECISION   on the team's first image: which member's view counts, see TeamAgreement
///  ABANDONED  0, or 1 + the bytes of the reason for which this image has left the team
///  OVER       not 0 if this image reads no word of the team any more, though the images have not closed it
///             together: CLOSED, or FAULTED if a fault had ended its statements before
///  forms      twice: what this image passes to form team
///  views      twice: bits of the members that this image has found living
///  text       for ABANDONED, and before it for TEXT
/// ```
///
/// An image writes its own words alone, but for EPOCH, ERROR, STOPPED, PAIRS and DECISION. Readers read the
/// words of other images from these images' memory, which stays mapped when an image fails.
final class ImageBoard {
    static final int EPOCH = 0;
    static final int CODE = 1;
    static final int ERROR = 2;
    private static final int HEADER = 3;

    static final int TOKEN = 0;
    static final int PHASE = 1;
    static final int DECISION = 2;
    static final int ABANDONED = 3;
    static final int OVER = 4;
    static final int STATEMENT = 5;
    static final int DETAIL = 6;
    static final int COUNT = 7;
    private static final int TEXT = 8;
    private static final int FORMS = 9;

    /// Values of OVER.
    static final int CLOSED = 1;

    static final int FAULTED = 2;

    /// Words of what an image passes to form team.
    static final int NUMBER = 0;

    static final int NEW_INDEX = 1;
    static final int CHILD_SLOT = 2;
    static final int CHILD_TOKEN = 3;
    static final int TEAM_ID = 4;
    static final int TEAM_ID_STEP = 5;
    private static final int FORM_WORDS = 6;

    private static final int TEXT_BYTES = 240;

    /// Teams of one image at a time. Each costs some hundred bytes, on all images, used or not.
    static final int SLOTS = 512;

    private final int images;
    private final IntegerView words;
    private final int me;
    private final int viewWords;
    private final int slotWords;
    private final boolean[] used = new boolean[SLOTS];

    /// Teams that this image has left, whose slots others may read.
    private final List<Roster> retired = new ArrayList<>();

    /// Allocates the boards. Collective over the team.
    ImageBoard(Team all) {
        this.images = all.size();
        this.me = all.member();
        this.viewWords = (images + Long.SIZE - 1) / Long.SIZE;
        this.slotWords = FORMS + 2 * FORM_WORDS + 2 * viewWords + TEXT_BYTES / Long.BYTES;
        this.words = all.allocate((HEADER + 2L * images + (long) SLOTS * slotWords) * Long.BYTES)
                .longs()
                .writtenBy(me);
    }

    IntegerView words() {
        return words;
    }

    int stopped(int pe) {
        return HEADER + pe;
    }

    int pair(int pe) {
        return HEADER + images + pe;
    }

    private int slot(int slot) {
        return HEADER + 2 * images + slot * slotWords;
    }

    int word(int slot, int word) {
        return slot(slot) + word;
    }

    int form(int slot, int turn, int word) {
        return slot(slot) + FORMS + turn * FORM_WORDS + word;
    }

    private int view(int slot, int turn) {
        return slot(slot) + FORMS + 2 * FORM_WORDS + turn * viewWords;
    }

    private int textOf(int slot) {
        return slot(slot) + FORMS + 2 * FORM_WORDS + 2 * viewWords;
    }

    /// Reads a word of an image.
    long read(int word, int pe) {
        return pe == me ? words.get(word) : words.get(word, pe);
    }

    /// Takes a free slot and clears it, or returns −1. The slot gets its token later.
    int takeSlot() {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (!used[slot]) {
                used[slot] = true;
                for (int word = 0; word < slotWords; word++) {
                    words.set(slot(slot) + word, 0);
                }
                return slot;
            }
        }
        return -1;
    }

    void releaseSlot(int slot) {
        if (slot >= 0) {
            words.set(word(slot, TOKEN), -1);
            used[slot] = false;
        }
    }

    /// Stores the members that this image has found living.
    void writeView(int slot, int turn, boolean[] living) {
        for (int i = 0; i < viewWords; i++) {
            long bits = 0;
            for (int bit = 0; bit < Long.SIZE && i * Long.SIZE + bit < living.length; bit++) {
                bits |= living[i * Long.SIZE + bit] ? 1L << bit : 0;
            }
            words.set(view(slot, turn) + i, bits);
        }
        VarHandle.fullFence();
    }

    /// Reads the members that an image has found living.
    boolean[] readView(int slot, int turn, int members, int pe) {
        boolean[] living = new boolean[members];
        for (int member = 0; member < members; member++) {
            long bits = read(view(slot, turn) + member / Long.SIZE, pe);
            living[member] = (bits & (1L << (member % Long.SIZE))) != 0;
        }
        return living;
    }

    /// Publishes that this image reads no word of a team any more. Its slot stays until that holds for all.
    ///
    /// @param over CLOSED or FAULTED
    void retire(Roster roster, int over) {
        VarHandle.fullFence();
        words.set(word(roster.mySlot(), OVER), over);
        retired.add(roster);
    }

    /// Releases the slots of teams that no image uses any more.
    void releaseRetired(boolean[] failed) {
        retired.removeIf(roster -> {
            boolean isOver = IntStream.range(0, roster.size())
                    .allMatch(member -> failed[roster.pes()[member]] || isOver(roster, member));
            if (isOver) {
                releaseSlot(roster.mySlot());
            }
            return isOver;
        });
    }

    private boolean isOver(Roster roster, int member) {
        int pe = roster.pes()[member];
        int slot = roster.slots()[member];
        return read(word(slot, OVER), pe) != 0 || read(word(slot, TOKEN), pe) != roster.token();
    }

    /// Publishes that this image has left a team.
    void abandon(int slot, String reason) {
        write(slot, ABANDONED, reason);
    }

    /// Publishes what this image allocates.
    void writeText(int slot, String text) {
        write(slot, TEXT, text);
    }

    private void write(int slot, int lengthWord, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] stored = Arrays.copyOf(bytes, TEXT_BYTES);
        int length = Math.min(bytes.length, TEXT_BYTES);
        while (length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
            length--; // the first byte that does not fit continues a character
        }
        for (int i = 0; i < TEXT_BYTES / Long.BYTES; i++) {
            long word = 0;
            for (int b = 0; b < Long.BYTES; b++) {
                word |= (stored[i * Long.BYTES + b] & 0xFFL) << (8 * b);
            }
            words.set(textOf(slot) + i, word);
        }
        VarHandle.fullFence();
        words.set(word(slot, lengthWord), 1 + length);
        VarHandle.fullFence();
    }

    /// Reads for what reason an image has left a team.
    String reason(int slot, int pe) {
        return text(slot, ABANDONED, pe);
    }

    /// Reads what an image allocates.
    String text(int slot, int pe) {
        return text(slot, TEXT, pe);
    }

    private String text(int slot, int lengthWord, int pe) {
        int length = (int) read(word(slot, lengthWord), pe) - 1;
        byte[] text = new byte[Math.max(0, length)];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (read(textOf(slot) + i / Long.BYTES, pe) >>> (8 * (i % Long.BYTES)));
        }
        return new String(text, StandardCharsets.UTF_8);
    }
}
