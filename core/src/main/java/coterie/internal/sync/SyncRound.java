// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.memory.SelectionSettings;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One round in which every member of a team learns that all others have come, what for, and a few words of each.
///
/// | team | round | messages of a member |
/// |---|---|---|
/// | small | [FlatRound], each member tells all others | n − 1 |
/// | large | [TreeRound], up a tree and down again | 1 + twice its children, log2 n at most |
public abstract sealed class SyncRound permits FlatRound, TreeRound {
    /// Words that travel with a round.
    public static final int WORDS = 7;

    /// What [#awaitRelease] is told if all members have used the memory of all.
    public static final int EVERYBODY = -1;

    final TeamLines lines;
    final Membership membership;
    final int me;
    final int size;
    final BlockingChannel blockingChannel;
    final PeRuntime runtime;
    final WaitingRoom room;
    final FailureNotice notice;

    /// What I say in the next round, or have said in the latest.
    final long[] words = new long[WORDS];

    long sequence;

    /// @param lines of the team alone
    SyncRound(TeamLines lines) {
        this.lines = lines;
        this.membership = lines.membership();
        this.me = membership.me();
        this.size = membership.size();
        this.blockingChannel = lines.blockingChannel();
        this.runtime = lines.runtime();
        this.room = runtime.room();
        this.sequence = lines.firstSequence() - 1;
        this.notice = new FailureNotice(lines, this);
    }

    /// The rounds of a team.
    ///
    /// @param mostFlat members of the largest team that synchronizes all-to-all; larger teams use a tree
    static SyncRound of(TeamLines lines, int mostFlat) {
        return lines.membership().size() <= mostFlat ? new FlatRound(lines) : new TreeRound(lines);
    }

    /// Why members may go different ways, for the end of a message; see [SelectionSettings#difference].
    public final String differingSettings() {
        int[] pes = IntStream.range(0, size).map(membership::pe).toArray();
        return SelectionSettings.difference(runtime::otherSettings, pes);
    }

    /// Number of the latest round.
    public final long sequence() {
        return sequence;
    }

    /// Sets a word to tell in the next round.
    public final void send(int word, long value) {
        words[word] = value;
    }

    /// What `member` told in the latest round.
    public abstract long received(int member, int word);

    /// From how many members, the first ones, all is known that was told in the latest round: the others have said
    /// the same as member 0.
    int different() {
        return size;
    }

    /// The first member that said `value` as its word, or −1.
    public final int firstWith(int word, long value) {
        int different = different();
        for (int member = 0; member < different; member++) {
            if (received(member, word) == value) {
                return member;
            }
        }
        return -1;
    }

    /// The first member that told something else than `value`, or -1.
    public final int firstWithout(int word, long value) {
        int different = different();
        for (int member = 0; member < different; member++) {
            if (received(member, word) != value) {
                return member;
            }
        }
        return -1;
    }

    /// The first member whose word differs from member 0's, or −1.
    public final int firstDifferent(int word) {
        int different = different();
        for (int member = 1; member < different; member++) {
            if (received(member, word) != received(0, word)) {
                return member;
            }
        }
        return -1;
    }

    /// The bits that all members have set in a word.
    public final long and(int word) {
        long all = -1;
        for (int member = 0; member < different(); member++) {
            all &= received(member, word);
        }
        return all;
    }

    /// The greatest that was said as a word.
    public final long max(int word) {
        int different = different();
        long greatest = received(0, word);
        for (int member = 1; member < different; member++) {
            greatest = Math.max(greatest, received(member, word));
        }
        return greatest;
    }

    /// Does a round for what needs all members.
    ///
    /// @param said how many words go with it
    /// @param operator what [#combined] of the last of these words will be, or null; the words before it are
    ///     then to agree
    /// @throws CollectiveMismatchException if a member has come for something else
    /// @throws PeFailedException if members have failed, or others have missed them
    abstract void synchronize(OperationKind kind, int said, @Nullable ScalarOperator operator);

    /// The combination of what all members said as the last word of the latest round, the same bits on all. Only
    /// where the words before it agree.
    public final long combined(ScalarOperator operator, int word) {
        int different = different();
        long result = received(0, word);
        for (int member = 1; member < different; member++) {
            result = operator.of(result, received(member, word));
        }
        return result;
    }

    /// Ends the use of each other's memory after the latest round, in which all members have agreed. Returns when
    /// the members that use this one's memory have completed that.
    ///
    /// @param root the member whose memory alone the others have used, or −1 if all have used that of all
    /// @throws PeFailedException if members have failed whom I wait for, or others have missed them
    abstract void awaitRelease(OperationKind kind, int root);

    /// Whether members tell each other everything, so that [#received] has all of them.
    public final boolean isAllToAll() {
        return this instanceof FlatRound;
    }

    /// Meets at the end of the world, where members that differ meet as well.
    ///
    /// @param said how many words go with it
    /// @throws CollectiveMismatchException if a member has come for something else
    /// @throws CoterieException if members have failed, or the team has ended for another cause: members need not
    ///     have met
    abstract void synchronizeEnd(OperationKind kind, int said);

    /// Goes to the number at which members that differ meet for the end of the world; returns whether it is a new
    /// one.
    boolean resynchronize() {
        return false;
    }

    /// The notice by which members end the team, which knows why members that live may not come to what is under way.
    public final FailureNotice notice() {
        return notice;
    }

    /// Whether the round that is under way still needs a member.
    boolean isNeeded(int member) {
        return true;
    }

    /// How messages about the latest round begin.
    final String messagePrefix(OperationKind kind) {
        return membership.messagePrefix(kind.label() + " #" + sequence);
    }

    /// Makes the next round one of an agreement, which ends with [#part].
    void beginAgreement(OperationKind kind) {}

    /// Ends an agreement after its round. Returns the verdict, the same on all members that return one.
    ///
    /// @param ballot gets what all have said
    /// @throws CoterieException on all other members: some have not heard all
    long part(OperationKind kind, Agreement.Ballot ballot) {
        return ballot.conclude(this);
    }

    /// Tells the others, on the way out of an agreement by an exception, what they wait for and have not been
    /// told.
    void leaveAgreement() {}
}
