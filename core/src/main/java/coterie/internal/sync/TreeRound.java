// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.SignalOperation;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.OperationKind;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Meets along a [BinomialTree]: what the members have to say goes up, is brought together on the way, and comes
/// down again as one table for all.
///
/// ```
///  up      wait for each child, add what it has brought to mine      TreeGather
///          tell my parent
///  down    wait for my parent           the root: decide that all are here
///          tell my children
/// ```
///
/// A message is a put with signal: words, and a [TreeHeader]. Cost of a member: as many messages as it has
/// neighbours in the tree; on the critical path 2 log2 n of them. Where all have said the same, which is the rule,
/// none has more than 56 bytes. A member's block of the team's lines holds all twice, for rounds with an even
/// sequence and with an odd one, so that no flag is ever reset:
///
/// ```
///  byte 0                                     16 n                72 n                128 n
///       │ tags, even │ tags, odd │            │ table, even       │ table, odd       │
///  tags: from the parent, or, at the root, the decision; from child 0, child 1, …
/// ```
///
/// **Failures.** Every wait ends once a member has failed, or a [FailureNotice] has arrived: a member that misses
/// a child tells its parent so, and one that misses its parent its children. A round has one moment in which it
/// counts, when the root writes its tag to itself. A member that misses its parent looks there, writes that a
/// member is missing if nothing is there yet, and otherwise fetches the table: so all that live have met, or
/// none, as long as the root's memory can be reached. Once they have not, they never will: the team is at its
/// end.
final class TreeRound extends SyncRound {
    /// Bytes for tags, for each member: the rest of its line. There are never more tags, since a member has fewer
    /// neighbours than the team has members.
    private static final long TAGS = JobSegment.LINE - 2 * TreeGather.byteSize(1);

    private final BinomialTree tree;
    private final TreeGather table;

    /// Where my block is.
    private final long mine;

    /// Tags of a member, of one half.
    private final int tags;

    /// The tag that the latest round has ended with.
    private long latest;

    /// Why the team can't meet any more.
    private @Nullable CoterieException missed;

    /// See [SyncRound#of].
    TreeRound(TeamLines lines) {
        super(lines);
        this.tree = new BinomialTree(me, size);
        this.table = new TreeGather(tree, me);
        this.mine = lines.localBase() + lines.offset(me);
        this.tags = 1 + BinomialTree.mostChildren(size);
        this.latest = missing(OperationKind.NONE, sequence);
    }

    @Override
    public long received(int member, int word) {
        return table.word(latest, member, word);
    }

    @Override
    int different() {
        return TreeHeader.form(latest) == TreeHeader.EACH ? size : 1;
    }

    @Override
    void synchronize(OperationKind kind, int said, @Nullable ScalarOperator operator) {
        round(kind, said, operator);
    }

    @Override
    void awaitRelease(OperationKind kind, int root) {
        synchronize(kind, 0, null);
    }

    @Override
    void synchronizeEnd(OperationKind kind, int said) {
        round(kind, said, null);
    }

    private void round(OperationKind kind, int said, @Nullable ScalarOperator operator) {
        if (missed != null || notice.endsTeam()) {
            throw notice.exception(kind.label());
        }
        long number = ++sequence;
        runtime.counters().collectives++;
        runtime.step(kind, 0);
        table.begin(mine + table(number));
        CoterieException absence = awaitChildren(kind, number);
        long tag = table.merge(number, kind, words, said, operator);
        if (!tree.isRoot()) {
            send(tree.parent(), 1 + tree.myNumber(), tag, me, tree.mySubtreeSize());
        }
        runtime.step(kind, 1);
        tag = tree.isRoot() ? commit(tag) : awaitParent(kind, number);
        runtime.step(kind, 2);
        for (int child = tree.children() - 1; child >= 0; child--) {
            send(tree.child(child), 0, tag, 0, size);
        }
        latest = tag;
        if (TreeHeader.form(tag) == TreeHeader.MISSING) {
            CoterieException why = absent(kind, absence);
            missed = why;
            throw why;
        }
        if (TreeHeader.form(tag) == TreeHeader.KINDS) {
            throw mismatch(kind);
        }
    }

    /// Waits for the messages of the children; returns why one will never come, or null.
    private @Nullable CoterieException awaitChildren(OperationKind kind, long number) {
        CoterieException absence = null;
        for (int child = 0; child < tree.children(); child++) {
            try {
                table.arrived(child, await(1 + child, tree.child(child), kind, number));
            } catch (CoterieException e) {
                absence = e;
                table.arrived(child, missing(kind, number));
            }
        }
        return absence;
    }

    /// A member that misses its parent asks the root whether the round counts.
    private long awaitParent(OperationKind kind, long number) {
        try {
            return await(0, tree.parent(), kind, number);
        } catch (CoterieException e) {
            return ask(number, missing(kind, number));
        }
    }

    private static long missing(OperationKind kind, long number) {
        return TreeHeader.of(number, 0, TreeHeader.MISSING, kind);
    }

    private long await(int slot, int member, OperationKind kind, long number) {
        long address = mine + tag(number, slot);
        long least = TreeHeader.min(number);
        long seen = AddressSpace.getLongAcquire(address);
        if (seen < least) {
            seen = room.awaitTag(
                    address,
                    least,
                    kind,
                    membership.label(),
                    number,
                    membership.pe(member),
                    notice.ofRounds(kind, member));
        }
        lines.observed(lines.offset(me) + tag(number, slot));
        return seen;
    }

    /// Makes the round count, if it can: from here on no other tag can be its end.
    ///
    /// @return the tag that is its end: `tag`, or that of a member that has missed its parent
    private long commit(long tag) {
        long number = TreeHeader.sequence(tag);
        return end(number, AddressSpace.getLongAcquire(mine + tag(number, 0)), tag);
    }

    /// Asks the root how the round has ended, and ends it with `missing` if it has not.
    private long ask(long number, long missing) {
        try {
            long place = remote(0) + tag(number, 0);
            long before = blockingChannel.compareAndSwap(0, 0, Long.BYTES, membership.pe(0), place);
            long tag = end(number, before, missing);
            long bytes = tag == missing ? 0 : TreeHeader.words(tag, size) * Long.BYTES;
            if (bytes > 0) {
                blockingChannel.get(
                        membership.pe(0), remote(0) + table(number), AddressSpace.ALL, mine + table(number), bytes);
            }
            return tag;
        } catch (PeFailedException e) {
            return missing; // the root has failed: only members that it has told before know its answer
        }
    }

    /// Ends a round with a tag, unless it has ended. Root and members use the channel, whose atomics need not mix
    /// with those of the processor.
    ///
    /// @param before what the root's word has had
    /// @return the tag that is its end
    private long end(long number, long before, long tag) {
        long expected = before;
        while (TreeHeader.sequence(expected) < number) {
            long found = blockingChannel.compareAndSwap(
                    expected, tag, Long.BYTES, membership.pe(0), remote(0) + tag(number, 0));
            if (found == expected) {
                return tag;
            }
            expected = found;
        }
        return expected;
    }

    /// Sends a message.
    ///
    /// @param slot of its tag
    /// @param first the member with which what is told begins
    /// @param members how many it is about
    private void send(int member, int slot, long tag, int first, int members) {
        int pe = membership.pe(member);
        long number = TreeHeader.sequence(tag);
        long words = TreeHeader.words(tag, members);
        long to = remote(member);
        long block = table(number) + TreeGather.place(first);
        runtime.counters().messages++;
        VarHandle.releaseFence(); // what I stored where others load it
        try {
            if (words == 0) {
                blockingChannel.putWord(tag, Long.BYTES, pe, to + tag(number, slot));
            } else {
                blockingChannel.putSignalNbi(
                        AddressSpace.ALL,
                        mine + block,
                        words * Long.BYTES,
                        pe,
                        to + block,
                        to + tag(number, slot),
                        SignalOperation.SET,
                        tag);
            }
        } catch (PeFailedException e) {
            return; // it needs no word any more, and its own children notice its failure
        }
    }

    private long remote(int member) {
        return lines.remoteBase(member) + lines.offset(member);
    }

    private long tag(long number, int slot) {
        return ((number & 1) * tags + slot) * Long.BYTES;
    }

    private long table(long number) {
        return size * TAGS + (number & 1) * TreeGather.byteSize(size);
    }

    private CoterieException absent(OperationKind kind, @Nullable CoterieException absence) {
        List<Integer> over = IntStream.range(0, size)
                .map(membership::pe)
                .filter(runtime::hasTerminated)
                .boxed()
                .toList();
        String difference = over.isEmpty() && !notice.endsTeam() ? difference(kind) : null;
        if (difference != null) {
            return new CollectiveMismatchException(messagePrefix(kind) + difference);
        }
        if (over.isEmpty()) {
            return absence == null || notice.endsTeam() ? notice.exception(kind.label()) : absence;
        }
        PeFailedException failure = new PeFailedException(
                messagePrefix(kind) + notice.causes(over) + " (a team of " + size
                        + " members can't complete the round without it)",
                over);
        if (absence != null) {
            failure.addSuppressed(absence);
        }
        return failure;
    }

    /// Returns in what members have differed before the round, or else which have closed the team, or null: one
    /// that has found a difference may close it, too.
    private @Nullable String difference(OperationKind kind) {
        String before = notice.differenceAfter();
        return before == null ? notice.closings().difference(kind, sequence) : before;
    }

    private CollectiveMismatchException mismatch(OperationKind kind) {
        Map<OperationKind, List<Integer>> calls =
                PeRanges.byValue(membership, member -> OperationKind.of(received(member, 0)));
        return new CollectiveMismatchException(messagePrefix(kind) + PeRanges.calls(calls));
    }
}
