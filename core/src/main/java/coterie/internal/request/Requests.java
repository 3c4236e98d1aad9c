// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.collective.Request;
import coterie.internal.collective.Agreement;
import coterie.internal.collective.Gathering;
import coterie.internal.collective.Means;
import coterie.internal.collective.Operands;
import coterie.internal.collective.Roster;
import coterie.internal.collective.Way;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.TeamLabel;
import coterie.internal.p2p.Members;
import coterie.internal.p2p.PlanTask;
import coterie.internal.p2p.Port;
import coterie.internal.plan.Action;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Span;
import coterie.internal.schedule.Purpose;
import coterie.internal.schedule.Reuse;
import coterie.internal.score.Candidate;
import coterie.internal.score.Choice;
import coterie.internal.score.Selection;
import coterie.internal.wait.WaitKind;
import coterie.internal.wait.WaitingRoom;
import coterie.internal.wait.Work;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A team's collectives that go on while the program does something else.
///
/// ```
///  prepare       Demand: what was asked for, checked
///    │ open       the first time: all members say where their lines are
///    │ choose     the first plan in the selection's order that serves
///    ▼
///  PeRequest     post: takes the next number, and so a lane and its turn on it
///    │            PlanTask, which the world's engine advances
/// ```
public final class Requests {
    /// Runs of a team that may be under way at once; more wait for their turn.
    private static final int LANES = 4;

    private static final int PLACE = 0;
    private static final long NONE = -1;

    private final Gathering gathering;
    private final Roster roster;
    private final Means means;
    private final Operands operands;
    private final Supplier<Selection<Way>> selection;
    private final AtomicLong posts = new AtomicLong();

    /// Those that have not given back what they have taken.
    private final Set<PeRequest> prepared = new LinkedHashSet<>();

    private volatile @Nullable Port port;
    private long lines = NONE;
    private long digest;

    /// Whether members have failed before all was complete, so that nobody knows what is still under way.
    private boolean isBroken;

    /// @param selection who serves what
    public Requests(Gathering gathering, Means means, Supplier<Selection<Way>> selection) {
        this.gathering = gathering;
        this.roster = gathering.roster();
        this.means = means;
        this.operands = new Operands(roster, gathering.context());
        this.selection = selection;
    }

    /// See [coterie.Team#prepare].
    public Request prepare(Collective asked) {
        gathering.checkAlive(WaitKind.PREPARE.words());
        gathering.checkThread(WaitKind.PREPARE);
        Demand demand = Demand.of(asked, roster, operands);
        long patience = asked.timeout()
                .map(limit -> WaitingRoom.timeoutNanos(asked.type().word(), roster.myPe(), limit))
                .orElse(WaitingRoom.FOREVER);
        Port open = port == null ? open() : Objects.requireNonNull(port);
        RuntimeException over = open.failure(WaitKind.PREPARE.words());
        if (over != null) {
            throw over;
        }
        Chosen chosen = choose(demand, asked.algorithm().orElse(null));
        long bytes = chosen.plan.scratchBytes();
        long scratch = bytes == 0 ? NONE : means.scratch().take(bytes);
        if (bytes > 0 && scratch == NONE) {
            throw new CoterieException(roster.who(demand.kind().words()) + "there are no " + bytes
                    + " bytes of scratch memory left in the heap for " + chosen.candidate);
        }
        PlanTask task = new PlanTask(
                means.engine(),
                new Purpose(asked.type().word(), demand.kind(), roster.label()),
                asked.isPersistent() ? Reuse.PERSISTENT : Reuse.ONCE,
                open,
                chosen.plan,
                signature(demand, chosen.candidate),
                Operators.of(demand.operator(), demand.elements(), roster.size()));
        if (patience != WaitingRoom.FOREVER) {
            task.timeout(patience);
        }
        PeRequest request = new PeRequest(this, asked, demand, chosen.candidate.toString(), task, scratch);
        asked.callback().ifPresent(then -> task.whenOver(_ -> then.accept(request)));
        synchronized (prepared) {
            prepared.add(request);
        }
        return request;
    }

    /// A plan, and whose it is.
    private record Chosen(Candidate<Way> candidate, Plan plan) {}

    /// The one that is named, if it serves, or the best that does; all members see alike which that is.
    private Chosen choose(Demand demand, @Nullable String name) {
        Selection<Way> made = selection.get();
        digest = made.digest();
        CollectiveType type = demand.shape().type();
        Choice<Way> best = made.find(type, MemoryType.HOST, demand.shape().bytes());
        Chosen named = name == null ? null : firstThatServes(demand, named(demand, best, name), name);
        Chosen chosen = named != null ? named : firstThatServes(demand, best, null);
        if (chosen == null) {
            throw new CoterieException(roster.who(demand.kind().words()) + "no layer serves requests of " + type.word()
                    + " of " + demand.shape().bytes() + " bytes, as the settings tls and tune have it; of what 'coterie"
                    + " info --scores' lists, requests can go by the algorithms of hier and p2p");
        }
        return chosen;
    }

    /// The first choice of a name.
    private Choice<Way> named(Demand demand, @Nullable Choice<Way> best, String name) {
        StringJoiner names = new StringJoiner(", ");
        for (Choice<Way> choice = best; choice != null; choice = choice.next()) {
            if (choice.candidate().factory() instanceof Way.Planned) {
                if (choice.candidate().algorithm().equals(name)) {
                    return choice;
                }
                names.add(choice.candidate().algorithm());
            }
        }
        throw new IllegalArgumentException(roster.who(demand.kind().words()) + "there is no algorithm \"" + name
                + "\" for requests of " + demand.shape().type().word() + " here; there are " + names);
    }

    /// @param name of the only one that counts, or null if all do
    private static @Nullable Chosen firstThatServes(Demand demand, @Nullable Choice<Way> first, @Nullable String name) {
        for (Choice<Way> choice = first; choice != null; choice = choice.next()) {
            Candidate<Way> candidate = choice.candidate();
            if (candidate.factory() instanceof Way.Planned planned
                    && (name == null || candidate.algorithm().equals(name))) {
                Optional<Plan> plan = demand.isEmpty()
                        ? Optional.of(Plan.EMPTY)
                        : planned.algorithm().plan(demand.shape());
                if (plan.isPresent()) {
                    return new Chosen(candidate, whole(demand, plan.get()));
                }
            }
        }
        return null;
    }

    private static Plan whole(Demand demand, Plan plan) {
        Span result = demand.result();
        return result != null && Operators.finishes(demand.operator()) ? plan.then(new Action.Finish(result)) : plan;
    }

    /// What members compare when they meet: all that they must mean alike.
    private long signature(Demand demand, Candidate<Way> candidate) {
        boolean isSized = switch (demand.shape().type()) {
            case ALLTOALLV, GATHERV, SCATTERV -> false;
            default -> true;
        };
        String operator = demand.operator() == null
                ? ""
                : demand.operator().name() + " " + demand.shape().width();
        long hash = digest;
        hash = mixed(hash, demand.elements().ordinal());
        hash = mixed(hash, demand.shape().root());
        hash = mixed(hash, isSized ? demand.shape().bytes() : 0);
        hash = mixed(hash, operator.hashCode());
        hash = mixed(hash, candidate.toString().hashCode());
        return mixed(hash, isRooted(demand) ? 0 : demand.shape().inPlace() ? 1 : 2);
    }

    private static boolean isRooted(Demand demand) {
        return switch (demand.shape().type()) {
            case BROADCAST, REDUCE, GATHER, GATHERV, SCATTER, SCATTERV -> true;
            default -> false;
        };
    }

    private static long mixed(long hash, long word) {
        return (hash ^ hash >>> 32) * 0x9E3779B97F4A7C15L + word;
    }

    /// Opens the port, together with all members: those agree that everybody has memory for it.
    private Port open() {
        if (!gathering.meeting().tellsAll()) {
            throw new CoterieException(
                    roster.who(WaitKind.PREPARE.words()) + "requests are for teams whose members tell"
                            + " each other everything; this one, of " + roster.size()
                            + ", meets along a tree, as the setting flat.team has it");
        }
        gathering.begin(WaitKind.PREPARE);
        long taken = means.lines().take(lineBytes());
        boolean isOpen = false;
        try {
            long[] offsets = new long[roster.size()];
            gathering.meeting().say(PLACE, taken);
            Agreement agreement = new Agreement(gathering);
            long verdict = agreement.reach(WaitKind.PREPARE, 1, meeting -> {
                for (int member = 0; member < offsets.length; member++) {
                    offsets[member] = meeting.heard(member, PLACE);
                }
                return Agreement.verdict(0, agreement.firstThatSays(PLACE, NONE) + 1);
            });
            int lacking = Agreement.member(verdict) - 1;
            if (lacking >= 0) {
                throw new CoterieException(
                        roster.who(WaitKind.PREPARE.words()) + "PE " + roster.pe(lacking) + " has no " + lineBytes()
                                + " bytes left for the requests of this team, as the setting team.kib has it");
            }
            Members members =
                    new Members(roster.label(), roster.size(), roster.me(), roster::pe, member -> offsets[member]);
            Port opened = new Port(members, LANES, means.conduit(), means.room());
            lines = taken;
            port = opened;
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen && taken != NONE) {
                means.lines().giveBack(taken, lineBytes());
            }
            gathering.leave();
        }
    }

    private long lineBytes() {
        return Port.lines(roster.size(), LANES) * JobSegment.LINE;
    }

    /// The number of the next post.
    long next() {
        return posts.getAndIncrement();
    }

    /// Refuses a post on a team that has ended, by a thread that may not, or after a failure.
    void checkPost(Demand demand) {
        gathering.checkAlive(demand.kind().words());
        gathering.checkThread(demand.kind());
        for (int block = 0; block < demand.blocks().size(); block++) {
            operands.checkAlive(demand.kind(), demand.blocks().get(block));
        }
        Port open = port;
        RuntimeException over = open == null ? null : open.failure(demand.kind().words());
        if (over != null) {
            throw over;
        }
    }

    /// Takes back what a request has. After a failure members may still write to it, until the team is over.
    void close(PeRequest request) {
        Port open = port;
        if (open == null || open.failure(WaitKind.PREPARE.words()) != null) {
            return;
        }
        boolean isMine;
        synchronized (prepared) {
            isMine = prepared.remove(request);
        }
        if (isMine) {
            giveScratchBack(request);
        }
    }

    private void giveScratchBack(PeRequest request) {
        if (request.scratch != NONE) {
            means.scratch().giveBack(request.scratch, request.scratchBytes());
        }
    }

    /// Whether a run is under way.
    public boolean isBusy() {
        return snapshot().stream().anyMatch(PeRequest::isUnderWay);
    }

    private List<PeRequest> snapshot() {
        synchronized (prepared) {
            return new ArrayList<>(prepared);
        }
    }

    /// Ends what is under way, and completes what it has sent, before the team meets for the last time.
    public void settle() {
        Port open = port;
        if (open == null) {
            return;
        }
        if (isBusy()) {
            open.giveUp();
            means.room().awaitWork(new Stillness(), WaitingRoom.FOREVER);
        }
        try {
            open.settle();
        } catch (PeFailedException e) {
            isBroken = true;
        }
    }

    /// That all runs have ended, which have been told to give up.
    private final class Stillness implements Work {
        @Override
        public boolean poll() {
            means.engine().sweep();
            return !isBusy();
        }

        @Override
        public WaitKind kind() {
            return WaitKind.CLOSE;
        }

        @Override
        public TeamLabel team() {
            return roster.label();
        }
    }

    /// Gives back what I have; all members have come so far, or nobody will need it again.
    ///
    /// @param isQuiet whether nobody writes to my memory any more
    public void close(boolean isQuiet) {
        Port open = port;
        port = null;
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (PeFailedException e) {
            isBroken = true;
        }
        if (isQuiet && !isBroken) {
            snapshot().forEach(this::giveScratchBack);
            means.lines().giveBack(lines, lineBytes());
        }
        synchronized (prepared) {
            prepared.clear();
        }
    }
}
