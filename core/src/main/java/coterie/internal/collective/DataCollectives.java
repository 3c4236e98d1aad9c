// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.Elements;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.HeapCopies;
import coterie.internal.rma.PeContext;
import coterie.internal.score.Candidate;
import coterie.internal.score.Choice;
import coterie.internal.score.Selection;
import coterie.internal.wait.WaitKind;
import coterie.spi.Conduit.Region;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The collectives over symmetric memory, and what barriers and numbers need of it. All go the same way:
///
/// ```
///  check my arguments      wrong ones are refused before anybody meets
///  choose a way            by what is agreed on, so that all choose the same: Selection
///  say them, meet          all must agree: where they don't, no target has changed, but see [Posts]
///    move and reduce       what has not travelled with the round
///  complete, part          my target is complete, and everybody is done with my source
/// ```
///
/// | way | what it does |
/// |---|---|
/// | [Barriers] | nothing: the round is all |
/// | [SelfCollectives] | a copy, in a team of one |
/// | [PostedBroadcasts] | the root posts, the others answer, and there is no round |
/// | [SmallCollectives] | few bytes are there when the round is over, and nobody has to part |
/// | [Pulls] | everybody reads the others' sources |
/// | [Exchanges] | everybody puts into the others' targets |
/// | [ShareReductions] | everybody reduces its share for all |
/// | [PlannedCollectives] | messages between pairs, by one of many algorithms |
/// | [PluggedCollectives] | what a layer that plugs in does |
public final class DataCollectives {
    private final TeamSync teamSync;
    private final Membership membership;
    private final AgreedRounds rounds;
    private final Call barrier = new Call(WaitKind.LAYERED_BARRIER, CollectiveType.BARRIER);
    private final Call sync = new Call(WaitKind.LAYERED_SYNC, CollectiveType.BARRIER);
    private final Call number = new Call(WaitKind.REDUCE, CollectiveType.ALLREDUCE);
    private final Calls calls;
    private final Choices choices;
    private final SelfCollectives self;
    private final ShareReductions shares;
    private final Exchanges exchanges;
    private final Pulls pulls;
    private final PlannedCollectives plans;
    private final PluggedCollectives plugged;
    private final TeamComponents components;
    private final TeamPort port;
    private final Means means;

    /// Where the numbers are that plans and layers reduce, or −1 as long as there is no place.
    private long numbers = -1;

    /// Null where members meet along a tree.
    private final @Nullable SmallCollectives inline;

    /// Null where members don't load each other's memory.
    private final @Nullable StageCarrier stage;

    private final @Nullable SmallCollectives staged;
    private final @Nullable PostedBroadcasts posted;

    public DataCollectives(TeamSync teamSync, Means means) {
        PeContext context = teamSync.context().own();
        SyncRound round = teamSync.syncRound();
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        Operands operands = new Operands(membership, teamSync.context());
        this.rounds = new AgreedRounds(teamSync);
        HeapCopies copies = new HeapCopies(context);
        Collected collected = new Collected(membership, round, rounds, operands);
        this.self = new SelfCollectives(membership, rounds, collected, copies);
        this.shares = new ShareReductions(membership, rounds, copies, context.scratch());
        this.exchanges = new Exchanges(membership, rounds, collected, copies);
        this.pulls = new Pulls(membership, rounds, collected, copies);
        FlatRound flat = round instanceof FlatRound small ? small : null;
        boolean isDirect = flat != null && flat.isDirect();
        this.inline = flat == null ? null : new SmallCollectives(membership, rounds, new LineCarrier(membership, flat), copies);
        this.stage = flat == null || !isDirect ? null : new StageCarrier(membership, flat, means);
        this.posted = flat == null || !isDirect ? null : new PostedBroadcasts(teamSync, rounds, flat, means, copies);
        this.staged = stage == null ? null : new SmallCollectives(membership, rounds, stage, copies);
        this.means = means;
        this.plans = new PlannedCollectives(teamSync, rounds, means);
        this.components = new TeamComponents(teamSync, means);
        this.port = new TeamPort(teamSync, means);
        this.choices = new Choices(teamSync, means, components, isDirect);
        this.calls = new Calls(teamSync, operands, choices);
        this.plugged = new PluggedCollectives(teamSync, rounds, means, components, plans);
    }

    /// The layers that plug in; all members open them together, the first time.
    public TeamComponents components() {
        return choices.components();
    }

    /// Through which runs go on by themselves.
    public TeamPort port() {
        return port;
    }

    /// See [Choices#known].
    public Selection<Way> selection() {
        return choices.known();
    }

    /// See [Choices#made].
    public Selection<Way> chosen() {
        return choices.made();
    }

    /// See [Choices#digest].
    public long digest() {
        return choices.digest();
    }

    /// See [Choices#algorithms].
    public List<Candidate<Way>> algorithms(CollectiveType type) {
        return choices.algorithms(type);
    }

    /// See [Choices#goesByRound].
    boolean goesByRound(CollectiveType type, long bytes) {
        return choices.goesByRound(type, bytes);
    }

    /// A barrier as the selection has it.
    ///
    /// @param completes whether it is a barrier: see [TeamSync#synchronise]
    void synchronise(boolean completes) {
        Call call = completes ? barrier : sync;
        teamSync.begin(call.kind);
        if (completes) {
            completeOrLeave();
        }
        call.say(Signature.of(call.elements), choices.digest());
        call.choice = choices.of(call.type, 0);
        perform(call);
    }

    private void completeOrLeave() {
        boolean goesOn = false;
        try {
            teamSync.context().complete();
            goesOn = true;
        } finally {
            if (!goesOn) {
                rounds.leave();
            }
        }
    }

    /// Reduces a number of each member, if the selection has it go by a plan or a layer.
    ///
    /// @param bits of a LONG or a DOUBLE
    /// @return whether it has been reduced: see [#reducedNumber]
    boolean reduceNumber(Reduction reduction, ElementType type, long bits) {
        teamSync.begin(number.kind);
        if (numbers < 0) {
            numbers = means.scratch().take(2 * Long.BYTES);
        }
        if (numbers >= 0) {
            AddressSpace.setLongRelease(heap() + numbers, bits);
        }
        number.set(reduction, type, numbers + Long.BYTES, numbers, 1, Long.BYTES);
        number.number(Signature.ofScalar(reduction, type), choices.digest());
        boolean isReduced = false;
        try {
            Choice<Way> choice = choices.of(number.type, number.bytes);
            while (!isReduced && choice != null && !(choice.candidate().factory() instanceof Way.Native)) {
                isReduced = goes(number, choice.candidate().factory());
                choice = choice.next();
            }
            return isReduced;
        } finally {
            if (!isReduced) {
                teamSync.leaveIfIn();
            }
        }
    }

    /// What has come of the latest [#reduceNumber].
    long reducedNumber() {
        return AddressSpace.getLongAcquire(heap() + numbers + Long.BYTES);
    }

    private long heap() {
        return means.conduit().localBase(Region.HEAP);
    }

    /// See [coterie.Team#reduce(Reduction, Elements, long, Elements, long, long)].
    public void reduce(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        perform(calls.reduce(reduction, target, targetIndex, source, sourceIndex, count));
    }

    /// See [coterie.Team#inclusiveScan].
    public void inclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        perform(calls.inclusiveScan(reduction, target, targetIndex, source, sourceIndex, count));
    }

    /// See [coterie.Team#exclusiveScan].
    public void exclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        perform(calls.exclusiveScan(reduction, target, targetIndex, source, sourceIndex, count));
    }

    /// See [coterie.Team#reduceScatter].
    public void reduceScatter(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        perform(calls.reduceScatter(reduction, target, targetIndex, source, sourceIndex, count));
    }

    /// See [coterie.Team#broadcast].
    public void broadcast(Elements target, long targetIndex, Elements source, long sourceIndex, long count, int root) {
        perform(calls.broadcast(target, targetIndex, source, sourceIndex, count, root));
    }

    /// See [coterie.Team#collect].
    public void collect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        perform(calls.collect(target, targetIndex, source, sourceIndex, count));
    }

    /// See [coterie.Team#fcollect].
    public void fcollect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        perform(calls.fcollect(target, targetIndex, source, sourceIndex, count));
    }

    /// See [coterie.Team#alltoall].
    public void alltoall(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        perform(calls.alltoall(target, targetIndex, source, sourceIndex, count));
    }

    /// See [coterie.Team#alltoallStrided].
    public void alltoallStrided(
            Elements target,
            long targetIndex,
            long targetStride,
            Elements source,
            long sourceIndex,
            long sourceStride,
            long count) {
        perform(calls.alltoallStrided(target, targetIndex, targetStride, source, sourceIndex, sourceStride, count));
    }

    /// Goes the chosen way, or the next one where that can't be gone with what is asked for; all members see that
    /// alike.
    private void perform(Call call) {
        boolean isOver = false;
        try {
            Choice<Way> choice = call.choice;
            while (!isOver && choice != null) {
                isOver = goes(call, choice.candidate().factory());
                choice = choice.next();
            }
            if (!isOver && call.type != CollectiveType.BARRIER) { // a barrier ends with a round, whoever serves it
                rounds.agree(call, 1); // members with other settings wait for all
                throw unserved(call);
            }
        } finally {
            if (!isOver) {
                teamSync.leaveIfIn();
            }
        }
    }

    private CoterieException unserved(Call call) {
        return new CoterieException(membership.who(call.kind.words()) + "no layer serves " + call.type.word() + " of "
                + call.bytes + " bytes, as the settings tls and tune have it; 'coterie info --scores' shows who"
                + " serves what");
    }

    /// Goes a way, if it serves this call.
    private boolean goes(Call call, Way way) {
        if (way instanceof Way.Native ours) {
            return goes(call, ours);
        }
        return way instanceof Way.Planned planned
                ? plans.run(call, planned.algorithm())
                : plugged.run(call, (Way.Plugged) way);
    }

    private boolean goes(Call call, Way.Native way) {
        return switch (way) {
            case ROUND -> meets(call);
            case COPY -> self.run(call);
            case POST -> posted != null && posted.run(call);
            case INLINE -> inline != null && inline.run(call);
            case STAGE -> staged != null && staged.run(call);
            case PULL -> pulls.run(call);
            case SHARE -> shares.run(call);
            case PUSH -> exchanges.run(call);
        };
    }

    private boolean meets(Call call) {
        rounds.agree(call, 1);
        rounds.leave();
        return true;
    }

    /// Completes what is under way to others, before the team meets for the last time.
    public void settle() {
        plans.settle();
    }

    /// Gives back what collectives have taken of memory.
    ///
    /// @param isQuiet whether nobody writes to it any more
    public void close(boolean isQuiet) {
        components.close();
        boolean isOver = plans.close(isQuiet);
        if (isQuiet && stage != null) {
            stage.close();
        }
        if (isQuiet && posted != null) {
            posted.close();
        }
        if (isOver && numbers >= 0) {
            means.scratch().giveBack(numbers, 2 * Long.BYTES);
            numbers = -1;
        }
    }
}
