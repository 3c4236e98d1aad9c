// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.OperationKind;
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
final class TreeGather {
    private static final long RECORD = SyncRound.WORDS * (long) Long.BYTES;

    private final BinomialTree tree;
    private final int me;

    /// Per child: the tag of its message.
    private final long[] tags;

    private final long[] record = new long[SyncRound.WORDS];

    /// Where the table of the round begins: the record of member 0.
    private long base;

    TreeGather(BinomialTree tree, int me) {
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
    void arrived(int child, long tag) {
        tags[child] = tag;
    }

    /// A word of a member, of the whole team's table.
    long word(long tag, int member, int word) {
        if (word >= TreeHeader.width(tag) || TreeHeader.form(tag) == TreeHeader.MISSING) {
            return 0;
        }
        int records = TreeHeader.form(tag) == TreeHeader.SAME ? 0 : member;
        return get(base, records * TreeHeader.width(tag) + word);
    }

    /// Brings together what I say and what the children have said, as one message.
    ///
    /// @param said how many words I say
    /// @param operator of the last word, or null
    /// @return its tag
    long merge(long sequence, OperationKind kind, long[] words, int said, @Nullable ScalarOperator operator) {
        long mine = base + place(me);
        for (int word = 0; word < said; word++) {
            set(mine, word, words[word]);
        }
        boolean sameKind = true;
        boolean sameWidth = true;
        boolean same = true;
        for (long tag : tags) {
            if (TreeHeader.form(tag) == TreeHeader.MISSING || TreeHeader.sequence(tag) != sequence) {
                return TreeHeader.of(sequence, 0, TreeHeader.MISSING, kind);
            }
            sameKind &= TreeHeader.form(tag) != TreeHeader.KINDS && TreeHeader.kind(tag) == kind.ordinal();
            sameWidth &= TreeHeader.width(tag) == said;
            same &= TreeHeader.form(tag) == TreeHeader.SAME;
        }
        if (!sameKind) {
            mergeKinds(kind);
            return TreeHeader.of(sequence, 1, TreeHeader.KINDS, kind);
        }
        if (same && sameWidth && mergeSame(said, operator)) {
            return TreeHeader.of(sequence, said, TreeHeader.SAME, kind);
        }
        int width = sameWidth ? said : SyncRound.WORDS;
        mergeEach(said, width);
        return TreeHeader.of(sequence, width, TreeHeader.EACH, kind);
    }

    /// Makes my record that of all, if they agree; changes nothing else.
    private boolean mergeSame(int said, @Nullable ScalarOperator operator) {
        int agreeing = operator == null ? said : said - 1;
        long mine = base + place(me);
        for (int child = 0; child < tags.length; child++) {
            long theirs = base + place(tree.child(child));
            for (int word = 0; word < agreeing; word++) {
                if (get(theirs, word) != get(mine, word)) {
                    return false;
                }
            }
        }
        if (operator != null) {
            long all = get(mine, agreeing);
            for (int child = 0; child < tags.length; child++) {
                all = operator.of(all, get(base + place(tree.child(child)), agreeing));
            }
            set(mine, agreeing, all);
        }
        return true;
    }

    private void mergeEach(int said, int width) {
        long to = base + place(me);
        widen(to, 1, said, width);
        to += (long) width * Long.BYTES;
        for (int child = 0; child < tags.length; child++) {
            long from = base + place(tree.child(child));
            boolean same = TreeHeader.form(tags[child]) == TreeHeader.SAME;
            int theirs = TreeHeader.width(tags[child]);
            int members = tree.subtreeSize(child);
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

    private void mergeKinds(OperationKind kind) {
        long to = base + place(me);
        set(to, 0, kind.ordinal());
        to += Long.BYTES;
        for (int child = 0; child < tags.length; child++) {
            int members = tree.subtreeSize(child);
            if (TreeHeader.form(tags[child]) == TreeHeader.KINDS) {
                move(base + place(tree.child(child)), to, members);
            } else {
                record[0] = TreeHeader.kind(tags[child]);
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
