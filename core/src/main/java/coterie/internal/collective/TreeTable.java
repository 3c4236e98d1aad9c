// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.WaitKind;
import org.jspecify.annotations.Nullable;

/// What the members under one of them have said in a round, in that member's memory: each child's message comes to
/// where its own members begin, if records had the most words. From there all is brought together in place:
///
/// ```
///  member      2                    3                    4
///             │ mine      │        │ child 3's │        │ child 4's │   as it has come
///             │ mine      │ child 3's │ child 4's │                      as it goes on
/// ```
///
/// Nothing moves but towards the begin, one block after another, so that none is overwritten that is still needed.
/// Where all have said the same, one record stands for all.
final class TreeTable {
    private static final long RECORD = Meeting.WORDS * (long) Long.BYTES;

    private final Tree tree;
    private final int me;

    /// Per child: the tag of its message.
    private final long[] tags;

    private final long[] record = new long[Meeting.WORDS];

    /// Where the table of the round begins: the record of member 0.
    private long base;

    TreeTable(Tree tree, int me) {
        this.tree = tree;
        this.me = me;
        this.tags = new long[tree.children()];
    }

    /// Bytes of a team's table.
    static long byteSize(int size) {
        return size * RECORD;
    }

    /// Where what is sent of the members from this one on begins, from the begin of the table.
    static long place(int member) {
        return member * RECORD;
    }

    /// Begins a round.
    void begin(long table) {
        base = table;
    }

    /// Notes the tag of a child's message.
    void came(int child, long tag) {
        tags[child] = tag;
    }

    /// A word of a member, of the whole team's table.
    long word(long tag, int member, int word) {
        if (word >= TreeTag.width(tag) || TreeTag.form(tag) == TreeTag.MISSING) {
            return 0;
        }
        int records = TreeTag.form(tag) == TreeTag.SAME ? 0 : member;
        return get(base, records * TreeTag.width(tag) + word);
    }

    /// Brings together what I say and what the children have said, as one message.
    ///
    /// @param said how many words I say
    /// @param combination of the last word, or null
    /// @return its tag
    long merge(long sequence, WaitKind kind, long[] words, int said, @Nullable Combination combination) {
        long mine = base + place(me);
        for (int word = 0; word < said; word++) {
            set(mine, word, words[word]);
        }
        boolean sameKind = true;
        boolean sameWidth = true;
        boolean same = true;
        for (long tag : tags) {
            if (TreeTag.form(tag) == TreeTag.MISSING || TreeTag.sequence(tag) != sequence) {
                return TreeTag.of(sequence, 0, TreeTag.MISSING, kind);
            }
            sameKind &= TreeTag.form(tag) != TreeTag.KINDS && TreeTag.kind(tag) == kind.ordinal();
            sameWidth &= TreeTag.width(tag) == said;
            same &= TreeTag.form(tag) == TreeTag.SAME;
        }
        if (!sameKind) {
            mergeKinds(kind);
            return TreeTag.of(sequence, 1, TreeTag.KINDS, kind);
        }
        if (same && sameWidth && mergeSame(said, combination)) {
            return TreeTag.of(sequence, said, TreeTag.SAME, kind);
        }
        int width = sameWidth ? said : Meeting.WORDS;
        mergeEach(said, width);
        return TreeTag.of(sequence, width, TreeTag.EACH, kind);
    }

    /// Makes my record that of all, if they agree; changes nothing else.
    private boolean mergeSame(int said, @Nullable Combination combination) {
        int agreeing = combination == null ? said : said - 1;
        long mine = base + place(me);
        for (int child = 0; child < tags.length; child++) {
            long theirs = base + place(tree.child(child));
            for (int word = 0; word < agreeing; word++) {
                if (get(theirs, word) != get(mine, word)) {
                    return false;
                }
            }
        }
        if (combination != null) {
            long all = get(mine, agreeing);
            for (int child = 0; child < tags.length; child++) {
                all = combination.of(all, get(base + place(tree.child(child)), agreeing));
            }
            set(mine, agreeing, all);
        }
        return true;
    }

    private void mergeEach(int said, int width) {
        long to = base + place(me);
        for (int word = said; word < width; word++) {
            set(to, word, 0);
        }
        to += (long) width * Long.BYTES;
        for (int child = 0; child < tags.length; child++) {
            long from = base + place(tree.child(child));
            boolean same = TreeTag.form(tags[child]) == TreeTag.SAME;
            int theirs = TreeTag.width(tags[child]);
            int members = tree.under(child);
            if (theirs < width) {
                widen(from, same ? 1 : members, theirs, width);
            }
            if (same) {
                repeat(from, to, members, width);
            } else {
                move(from, to, (long) members * width);
            }
            to += (long) members * width * Long.BYTES;
        }
    }

    /// Gives records more words, zeros, in place.
    private static void widen(long block, int records, int from, int to) {
        for (int member = records - 1; member >= 0; member--) {
            for (int word = to - 1; word >= 0; word--) {
                set(block, member * to + word, word < from ? get(block, member * from + word) : 0);
            }
        }
    }

    private void repeat(long from, long to, int members, int width) {
        for (int word = 0; word < width; word++) {
            record[word] = get(from, word);
        }
        for (int member = 0; member < members; member++) {
            for (int word = 0; word < width; word++) {
                set(to, member * width + word, record[word]);
            }
        }
    }

    private static void move(long from, long to, long words) {
        for (long word = 0; word < words; word++) {
            set(to, word, get(from, word));
        }
    }

    private void mergeKinds(WaitKind kind) {
        long to = base + place(me);
        set(to, 0, kind.ordinal());
        to += Long.BYTES;
        for (int child = 0; child < tags.length; child++) {
            int members = tree.under(child);
            if (TreeTag.form(tags[child]) == TreeTag.KINDS) {
                move(base + place(tree.child(child)), to, members);
            } else {
                record[0] = TreeTag.kind(tags[child]);
                for (int member = 0; member < members; member++) {
                    set(to, member, record[0]);
                }
            }
            to += (long) members * Long.BYTES;
        }
    }

    private static long get(long block, long word) {
        return AddressSpace.getLongOpaque(block + word * Long.BYTES);
    }

    private static void set(long block, long word, long value) {
        AddressSpace.setLongOpaque(block + word * Long.BYTES, value);
    }
}
