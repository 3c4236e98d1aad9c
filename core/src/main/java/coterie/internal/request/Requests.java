// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CoterieException;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.collective.Request;
import coterie.internal.collective.ArgumentChecks;
import coterie.internal.collective.CollectiveAlgorithm;
import coterie.internal.collective.CollectiveResources;
import coterie.internal.collective.DataCollectives;
import coterie.internal.collective.LayerArguments;
import coterie.internal.collective.Membership;
import coterie.internal.collective.NotedOperator;
import coterie.internal.collective.PreparedWork;
import coterie.internal.collective.RequestEndpoint;
import coterie.internal.collective.TeamComponents;
import coterie.internal.collective.TeamSync;
import coterie.internal.hier.Hierarchy;
import coterie.internal.layer.LayerErrors;
import coterie.internal.memory.TeamLabel;
import coterie.internal.p2p.ArgumentSignature;
import coterie.internal.p2p.Operator;
import coterie.internal.p2p.PlanTask;
import coterie.internal.p2p.TeamEndpoint;
import coterie.internal.plan.Action;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.plan.Plan;
import coterie.internal.rma.PeMemory;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.PipelineParameters;
import coterie.internal.schedule.Task;
import coterie.internal.schedule.TaskDescription;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.trace.PeTracer;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import coterie.layer.Arguments;
import coterie.layer.TeamParameters;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A team's collectives that go on while the program does something else.
///
/// ```
///  prepare       RequestArgs: what was asked for, checked
///    │ open       the first time: says where my lines are, and waits for no member
///    │ choose     the first plan in the selection's order that serves
///    ▼
///  PeRequest     post: takes the next number, and so a lane and its turn on it
///    │            PlanTask, which the world's engine advances
/// ```
public final class Requests {
    private static final long NONE = -1;

    private final TeamSync teamSync;
    private final Membership membership;
    private final CollectiveResources resources;
    private final ArgumentChecks argumentChecks;
    private final DataCollectives data;
    private final RequestEndpoint port;

    /// Those that have not given back what they have taken.
    private final Set<PeRequest> prepared = new LinkedHashSet<>();

    private long digest;

    /// @param data of the team, whose selection and port are those of requests too
    public Requests(TeamSync teamSync, CollectiveResources resources, DataCollectives data) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.resources = resources;
        this.argumentChecks = new ArgumentChecks(membership, teamSync.context());
        this.data = data;
        this.port = data.endpoint();
    }

    /// See [coterie.Team#prepare].
    public Request prepare(Collective asked) {
        RequestArgs args = checked(asked);
        data.components();
        return prepare(asked, args);
    }

    /// See [coterie.Team#tryPrepare].
    public Optional<Request> tryPrepare(Collective asked) {
        RequestArgs args = checked(asked);
        return data.tryOpenComponents() ? Optional.of(prepare(asked, args)) : Optional.empty();
    }

    private RequestArgs checked(Collective asked) {
        teamSync.checkAlive(OperationKind.PREPARE.label());
        teamSync.checkThread(OperationKind.PREPARE);
        return RequestArgs.of(asked, membership, argumentChecks, resources.registry());
    }

    private Request prepare(Collective asked, RequestArgs args) {
        long patience = asked.timeout()
                .map(limit -> WaitingRoom.timeoutNanos(asked.type().label(), membership.myPe(), limit))
                .orElse(WaitingRoom.FOREVER);
        TeamEndpoint open = port.open(OperationKind.PREPARE);
        RuntimeException over = port.failure(OperationKind.PREPARE.label());
        if (over != null) {
            throw over;
        }
        Operator operator = ReductionOperators.of(args.operator(), args.elements(), membership.size());
        Chosen chosen = choose(args, operator, open, asked);
        try {
            Execution execution = execution(chosen, args, operator, open, asked.isPersistent());
            data.trace()
                    .log(args.kind().label(), args.shape().type(), args.shape().bytes(), chosen.selectableAlgorithm);
            return request(asked, args, chosen, execution, patience);
        } catch (RuntimeException e) {
            chosen.made.close();
            if (chosen.made.scratch() != NONE) {
                resources
                        .scratch()
                        .release(chosen.made.scratch(), chosen.made.plan().scratchBytes());
            }
            throw unprepared(open, args, withoutPrefix(args, e), e);
        }
    }

    /// Ends the requests on all members; see [coterie.Team#revoke].
    public void revoke() {
        port.revoke();
    }

    /// Its message without how such messages begin: 64 bytes of it reach the others, whose own begin so.
    private String withoutPrefix(RequestArgs args, RuntimeException why) {
        return String.valueOf(why.getMessage())
                .replace(membership.messagePrefix(args.kind().label()), "");
    }

    /// Tells the others that I have no part in what they may have posted.
    private <E extends RuntimeException> E unprepared(TeamEndpoint open, RequestArgs args, String what, E why) {
        if (membership.size() > 1) {
            open.unprepared(args.kind(), what, why);
        }
        return why;
    }

    private PeRequest request(Collective asked, RequestArgs args, Chosen chosen, Execution execution, long patience) {
        String algorithm = chosen.selectableAlgorithm.toString();
        long bytes = execution.scratchBytes();
        long taken = chosen.made.scratch(); // with tasks of layers, which know where it is
        long scratch =
                bytes == 0 ? NONE : taken != NONE ? taken : resources.scratch().acquire(bytes);
        if (bytes > 0 && scratch == NONE) {
            throw new CoterieException(membership.messagePrefix(args.kind().label()) + "no " + bytes
                    + " bytes of scratch memory are free in the heap, or the heap has no block yet; required by "
                    + algorithm);
        }
        Task task = execution.task();
        if (patience != WaitingRoom.FOREVER) {
            task.timeout(patience);
        }
        PeRequest request = new PeRequest(this, asked, args, algorithm, execution, scratch);
        asked.callback().ifPresent(then -> task.onComplete(_ -> then.accept(request)));
        synchronized (prepared) {
            prepared.add(request);
        }
        return request;
    }

    /// How what is chosen is done: in fragments, if people want that of the algorithm and the data are long
    /// enough.
    private Execution execution(
            Chosen chosen, RequestArgs args, Operator operator, TeamEndpoint open, boolean isPersistent) {
        TaskDescription description = new TaskDescription(args.shape().type().label(), args.kind(), membership.label());
        Persistence persistence = isPersistent ? Persistence.PERSISTENT : Persistence.ONCE;
        PipelineParameters pipelineParameters =
                resources.registry().pipelineParameters(args.shape().type(), chosen.selectableAlgorithm);
        ArgumentSignature signature = new RequestSignature(
                args,
                chosen.selectableAlgorithm.toString(),
                pipelineParameters.toString(),
                chosen.made.isTask(),
                digest,
                () -> serving(args.shape().type()).map(Object::toString).toList(),
                teamSync.syncRound()::differingSettings);
        if (chosen.selectableAlgorithm.factory() instanceof CollectiveAlgorithm.Planned planned && !args.isEmpty()) {
            PipelinedExecution.Fragmentation fragmentation = new PipelinedExecution.Fragmentation(
                    pipelineParameters,
                    args.shape().bytes(),
                    args.shape().width(),
                    bytes -> PipelinedExecution.plan(planned.algorithm(), args, bytes),
                    plan -> new PlanTask(
                            resources.engine(), description, Persistence.PERSISTENT, open, plan, signature, operator));
            if (fragmentation.fragments() > 1) {
                return new PipelinedExecution(resources.engine(), description, persistence, fragmentation);
            }
        }
        PlanTask task = new PlanTask(
                resources.engine(), description, persistence, open, chosen.made.plan(), signature, operator);
        return new Execution.Whole(
                task.with(chosen.made.tasks()),
                chosen.made.isTask() ? chosen.made.tasks().getFirst() : null);
    }

    /// What is done, and whose it is.
    private record Chosen(SelectableAlgorithm<CollectiveAlgorithm> selectableAlgorithm, PreparedWork made) {}

    /// The one that is named, if it serves, or the best that does; all members see alike which that is, as long as
    /// they have the same settings and no layer fails.
    private Chosen choose(RequestArgs args, Operator operator, TeamEndpoint open, Collective asked) {
        ScoreMap<CollectiveAlgorithm> made = data.chosen();
        digest = data.digest();
        CollectiveType type = args.shape().type();
        List<SelectableAlgorithm<CollectiveAlgorithm>> ladder =
                algorithms(type, made.find(type, MemoryType.HOST, args.shape().bytes()));
        String name = asked.algorithm().orElse(null);
        Maker maker = new Maker(args, operator, open, asked.isPersistent());
        if (DirectAlgorithms.isShort(args.shape())) {
            ladder.sort(Comparator.comparing(Requests::isNative)); // messages first
        }
        Chosen named = name == null ? null : firstThatServes(maker, named(args, ladder, name, open));
        Chosen chosen = named != null ? named : firstThatServes(maker, ladder);
        if (named == null && !ladder.isEmpty()) {
            checkTuning(args, ladder.getFirst(), chosen);
        }
        if (chosen == null) {
            String others = teamSync.syncRound().differingSettings();
            CoterieException why = new CoterieException(membership.messagePrefix(
                            args.kind().label())
                    + "no layer serves requests of " + type.label()
                    + " of " + args.shape().bytes() + " bytes with the current settings tls and tune; of the algorithms"
                    + " that 'coterie info --scores' lists, requests can use those of hier, p2p and layers that the "
                    + "user adds, and pull and partitioned of mapped"
                    + others);
            throw others.isEmpty() ? why : unprepared(open, args, "no layer serves it on that PE", why);
        }
        return chosen;
    }

    /// Refuses a request that goes by another algorithm than tuning wants, if tuning is strict.
    private void checkTuning(
            RequestArgs args, SelectableAlgorithm<CollectiveAlgorithm> wanted, @Nullable Chosen chosen) {
        if (chosen != null && !chosen.selectableAlgorithm.equals(wanted)) {
            CoterieException refusal = data.strictTuning()
                    .refusal(
                            args.kind().label(),
                            args.shape().type(),
                            args.shape().bytes(),
                            wanted,
                            Explanation.Use.REQUEST,
                            "it declines");
            if (refusal != null) {
                chosen.made.close();
                throw refusal;
            }
        }
    }

    /// Those that requests can go by, the best first.
    private static List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms(
            CollectiveType type, @Nullable SelectedAlgorithm<CollectiveAlgorithm> best) {
        List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms = new ArrayList<>();
        for (SelectedAlgorithm<CollectiveAlgorithm> selected = best; selected != null; selected = selected.next()) {
            if (CollectiveAlgorithm.servesRequests(type, selected.algorithm())) {
                algorithms.add(selected.algorithm());
            }
        }
        return algorithms;
    }

    private static boolean isNative(SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        return algorithm.factory() instanceof CollectiveAlgorithm.Native;
    }

    /// Those of a name that the selection has here, or, if it has none, that the team's layers have. All members
    /// with the same layers come to the same.
    private List<SelectableAlgorithm<CollectiveAlgorithm>> named(
            RequestArgs args, List<SelectableAlgorithm<CollectiveAlgorithm>> ladder, String name, TeamEndpoint open) {
        List<SelectableAlgorithm<CollectiveAlgorithm>> chosen = named(ladder, name);
        if (!chosen.isEmpty()) {
            return chosen;
        }
        List<SelectableAlgorithm<CollectiveAlgorithm>> all =
                serving(args.shape().type()).toList();
        List<SelectableAlgorithm<CollectiveAlgorithm>> others = named(all, name);
        if (others.isEmpty() && !all.isEmpty()) {
            String settings = teamSync.syncRound().differingSettings();
            IllegalArgumentException why = new IllegalArgumentException(membership.messagePrefix(
                            args.kind().label()) + "no algorithm \"" + name
                    + "\" for requests of " + args.shape().type().label() + "; available: "
                    + all.stream()
                            .map(SelectableAlgorithm::algorithm)
                            .distinct()
                            .collect(Collectors.joining(", ")) + settings);
            throw settings.isEmpty() ? why : unprepared(open, args, "that PE has no algorithm " + name, why);
        }
        return others;
    }

    /// All that the team's layers have for requests.
    private Stream<SelectableAlgorithm<CollectiveAlgorithm>> serving(CollectiveType type) {
        return data.algorithms(type).stream().filter(each -> CollectiveAlgorithm.servesRequests(type, each));
    }

    private static List<SelectableAlgorithm<CollectiveAlgorithm>> named(
            List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms, String name) {
        return algorithms.stream().filter(each -> each.algorithm().equals(name)).toList();
    }

    private static @Nullable Chosen firstThatServes(
            Maker maker, List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms) {
        for (SelectableAlgorithm<CollectiveAlgorithm> selectableAlgorithm : algorithms) {
            Optional<PreparedWork> made = maker.make(selectableAlgorithm);
            if (made.isPresent()) {
                return new Chosen(selectableAlgorithm, made.get());
            }
        }
        return null;
    }

    /// Makes what serves a demand.
    private final class Maker {
        private final RequestArgs args;
        private final Operator operator;
        private final TeamEndpoint open;
        private final boolean isPersistent;

        /// What of the target must be finished once it is there, or null.
        private final @Nullable ByteSpan unfinished;

        Maker(RequestArgs args, Operator operator, TeamEndpoint open, boolean isPersistent) {
            this.args = args;
            this.operator = operator;
            this.open = open;
            this.isPersistent = isPersistent;
            this.unfinished = ReductionOperators.finishes(args.operator()) ? args.result() : null;
        }

        /// Empty if that way can't be gone.
        Optional<PreparedWork> make(SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
            if (args.isEmpty()) {
                return Optional.of(PreparedWork.of(Plan.EMPTY));
            }
            return switch (algorithm.factory()) {
                case CollectiveAlgorithm.Native _ ->
                    CollectiveAlgorithm.direct(args.shape().type(), algorithm).flatMap(this::planned);
                case CollectiveAlgorithm.Planned planned -> planned(planned.algorithm());
                case CollectiveAlgorithm.Plugged plugged -> ofLayers(plugged, plugged.layer());
                case CollectiveAlgorithm.Stacked stacked -> ofLayers(stacked, Hierarchy.COMPONENT);
            };
        }

        private Optional<PreparedWork> planned(Algorithm algorithm) {
            return algorithm
                    .plan(args.shape())
                    .map(plan -> unfinished == null ? plan : plan.then(new Action.Finish(unfinished)))
                    .map(PreparedWork::of);
        }

        /// A layer that fails here may have prepared it for the others.
        private Optional<PreparedWork> ofLayers(CollectiveAlgorithm way, String layer) {
            try {
                return data.components()
                        .prepare(way, new TeamComponents.Order(this::arguments, unfinished, resources.scratch(), true));
            } catch (RuntimeException e) {
                String why = LayerErrors.reason(e.getCause() == null ? e : e.getCause());
                throw unprepared(open, args, layer + ": " + why, e);
            }
        }

        private LayerArguments arguments(TeamParameters team) {
            return new LayerArguments(
                    args.shape(),
                    args.elements(),
                    args.operator(),
                    new NotedOperator(operator),
                    args.shape().ordered() ? Arguments.Order.MEMBERS : Arguments.Order.ANY,
                    isPersistent,
                    false,
                    team,
                    resources.conduit().localBase(Region.HEAP),
                    args.from(),
                    args.to());
        }
    }

    /// The number of the next post.
    ///
    /// @param many how many it takes
    long number(int many) {
        return port.next(many);
    }

    /// Refuses a post on a team that has ended, by a thread that may not, or after a failure.
    void checkPost(RequestArgs args) {
        teamSync.checkAlive(args.kind().label());
        teamSync.checkThread(args.kind());
        for (int block = 0; block < args.blocks().size(); block++) {
            argumentChecks.checkAlive(args.kind(), args.blocks().get(block));
        }
        RuntimeException over = port.failure(args.kind().label());
        if (over != null) {
            throw over;
        }
    }

    /// Takes back what a request has. After a failure members may still write to it, until the team is over.
    ///
    /// @param isUntouched whether nobody does, since it has not run or its last run has ended well
    void close(PeRequest request, boolean isUntouched) {
        if (port.opened() == null || (port.failure(OperationKind.PREPARE.label()) != null && !isUntouched)) {
            return;
        }
        boolean isMine;
        synchronized (prepared) {
            isMine = prepared.remove(request);
        }
        if (isMine) {
            releaseScratch(request);
        }
    }

    private void releaseScratch(PeRequest request) {
        if (request.scratch != NONE) {
            resources.scratch().release(request.scratch, request.scratchBytes());
        }
    }

    /// Returns what gets the requests of a traced job.
    PeTracer tracer() {
        return resources.room().counters().tracer;
    }

    /// Whether a run is under way.
    public boolean isBusy() {
        return snapshot().stream().anyMatch(PeRequest::isUnderWay);
    }

    /// Whether a run is under way that uses a block of memory.
    public boolean use(PeMemory block) {
        return snapshot().stream().anyMatch(each -> each.uses(block));
    }

    private List<PeRequest> snapshot() {
        synchronized (prepared) {
            return new ArrayList<>(prepared);
        }
    }

    /// Ends what is under way, and completes what it has sent, before the team meets for the last time.
    public void drain() {
        if (isBusy()) {
            port.abort();
            resources.room().awaitWork(new Quiescence(), WaitingRoom.FOREVER);
        }
        port.leave();
    }

    /// That all runs have ended, which have been told to give up.
    private final class Quiescence implements Awaitable {
        @Override
        public boolean poll() {
            resources.engine().progress();
            return !isBusy();
        }

        @Override
        public OperationKind kind() {
            return OperationKind.CLOSE;
        }

        @Override
        public TeamLabel team() {
            return membership.label();
        }
    }

    /// Gives back what I have; all members have come so far, or nobody will need it again.
    ///
    /// @param isQuiet whether nobody writes to my memory any more
    public void close(boolean isQuiet) {
        boolean isOver = port.close(isQuiet);
        for (PeRequest each : snapshot()) {
            each.end();
            if (isOver) {
                releaseScratch(each);
            }
        }
        synchronized (prepared) {
            prepared.clear();
        }
    }
}
