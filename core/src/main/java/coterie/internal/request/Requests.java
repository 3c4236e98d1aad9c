// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.collective.ArgumentChecks;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.AskedCollective;
import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.component.CollectiveResources;
import coterie.internal.component.PreparedWork;
import coterie.internal.memory.StatusLabel;
import coterie.internal.p2p.ChannelGroup;
import coterie.internal.p2p.ExternalTask;
import coterie.internal.p2p.Operator;
import coterie.internal.p2p.PlanTask;
import coterie.internal.p2p.RunArguments;
import coterie.internal.p2p.TeamPort;
import coterie.internal.p2p.WordExchange;
import coterie.internal.plan.Action;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.DisseminationBarrier;
import coterie.internal.plan.Plan;
import coterie.internal.request.RequestSelection.Chosen;
import coterie.internal.rma.PeMemory;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.PipelineParameters;
import coterie.internal.schedule.Task;
import coterie.internal.schedule.TaskDescription;
import coterie.internal.schedule.TaskEvent;
import coterie.internal.schedule.TaskListener;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.trace.PeTracer;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/// A team's collectives that go on while the program does something else.
///
/// ```
///  prepare       RequestReader: what was asked for, checked
///    │ open       the first time: says where my lines are, and waits for no member
///    │ choose     the first in the selection's order that serves; see RequestSelection
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
    private final AlgorithmSelector selector;
    private final TeamPort port;

    /// Those that have not given back what they have taken.
    private final Set<PeRequest> prepared = new LinkedHashSet<>();

    /// Tasks of the runtime's own that may be under way.
    private final List<Task> posted = new ArrayList<>(0);

    /// @param port of the team, which its calls use, too
    /// @param selector of the team, which selects for its calls, too
    public Requests(TeamSync teamSync, CollectiveResources resources, TeamPort port, AlgorithmSelector selector) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.resources = resources;
        this.argumentChecks = new ArgumentChecks(membership, teamSync.context());
        this.selector = selector;
        this.port = port;
        port.difference(RequestArguments.difference(teamSync.syncRound()::differingSettings));
    }

    /// See [coterie.Team#prepare].
    public Request prepare(Collective described) {
        AskedCollective asked = checked(described);
        selector.open();
        return prepare(described, asked);
    }

    /// See [coterie.Team#tryPrepare].
    public Optional<Request> tryPrepare(Collective described) {
        AskedCollective asked = checked(described);
        return selector.tryOpen() ? Optional.of(prepare(described, asked)) : Optional.empty();
    }

    /// Reads what is asked for, and waits for no member.
    AskedCollective checked(Collective described) {
        teamSync.checkAlive(OperationKind.PREPARE.label());
        teamSync.gate().checkThread(OperationKind.PREPARE.label());
        return new RequestReader(described, membership, argumentChecks).read(resources.registry());
    }

    PeRequest prepare(Collective described, AskedCollective asked) {
        ChannelGroup open = port.open(OperationKind.PREPARE);
        RuntimeException over = port.failure(OperationKind.PREPARE.label());
        if (over != null) {
            throw over;
        }
        Operator operator = ReductionOperators.of(asked.operator(), asked.elements(), membership.size());
        RequestSelection selection =
                new RequestSelection(teamSync, resources, selector, described, asked, operator, open);
        Chosen chosen = selection.choose();
        PreparedWork made = chosen.made();
        try {
            CollectiveShape shape = asked.shape();
            TaskDescription description = new TaskDescription(
                    shape.type().label(), asked.kind(), membership.label(), PeRequest.quotedTag(described));
            Execution execution = execution(description, chosen, asked, operator, open, selection.persistence());
            selector.trace(asked.kind().label(), shape.type(), shape.bytes(), shape.root(), chosen.algorithm());
            return request(described, asked, chosen, execution);
        } catch (RuntimeException e) {
            made.close();
            releaseScratch(made.scratch(), made.plan().scratchBytes());
            // 64 bytes of the message reach the others, whose own begin alike
            String prefix = membership.messagePrefix(asked.kind().label());
            throw selection.unprepared(String.valueOf(e.getMessage()).replace(prefix, ""), e);
        }
    }

    /// Posts a task of the runtime's own as one of the team's requests, whose order it shares. All members have posted
    /// it before it begins, and it is over on all when it has ended well on one.
    ///
    /// @param end is told when it has ended well; the task itself learns of failures
    public Task post(OperationKind kind, ExternalTask task, TaskListener end) {
        teamSync.checkAlive(kind.label());
        teamSync.gate().checkThread(kind.label());
        ChannelGroup open = port.open(kind);
        PlanTask run = new PlanTask(
                        resources.engine(),
                        new TaskDescription(kind.label(), kind, membership.label()),
                        Persistence.ONCE,
                        open,
                        DisseminationBarrier.around(new Action.Run(0), membership.size(), membership.me()),
                        RunArguments.of(),
                        ReductionOperators.of(null, ElementType.LONG, membership.size()))
                .with(List.of(task));
        run.on(TaskEvent.COMPLETED, end);
        run.queue(port.next(1), null, 0, 0, NONE);
        run.post();
        synchronized (posted) {
            posted.add(run);
        }
        return run;
    }

    /// Makes the rounds of splits that are posted.
    public WordExchange splitExchange(OperationKind kind) {
        return port.splitExchange(kind);
    }

    private PeRequest request(Collective described, AskedCollective asked, Chosen chosen, Execution execution) {
        String algorithm = chosen.algorithm().toString();
        long bytes = execution.scratchBytes();
        long taken = chosen.made().scratch(); // with tasks of layers, which know where it is
        long scratch =
                bytes == 0 ? NONE : taken != NONE ? taken : resources.scratch().acquire(bytes);
        if (bytes > 0 && scratch == NONE) {
            throw new CoterieException(membership.messagePrefix(asked.kind().label()) + "no " + bytes
                    + " bytes of scratch memory are free in the heap, or the heap has no block yet; required by "
                    + algorithm);
        }
        Task task = execution.task();
        described
                .timeout()
                .map(limit -> WaitingRoom.timeoutNanos(described.type().label(), membership.myPe(), limit))
                .ifPresent(task::timeout);
        PeRequest request = new PeRequest(this, described, asked, algorithm, execution, scratch);
        described.callback().ifPresent(then -> task.onComplete(_ -> then.accept(request)));
        synchronized (prepared) {
            prepared.add(request);
        }
        resources.requests().incrementAndGet();
        return request;
    }

    /// How what is chosen is done: in fragments, if people want that of the algorithm and the data are long
    /// enough.
    private Execution execution(
            TaskDescription description,
            Chosen chosen,
            AskedCollective asked,
            Operator operator,
            ChannelGroup open,
            Persistence persistence) {
        PreparedWork made = chosen.made();
        CollectiveShape shape = asked.shape();
        PipelineParameters pipelineParameters =
                LongVectors.pipeline(shape, resources.registry().pipelineParameters(shape.type(), chosen.algorithm()));
        String algorithm = chosen.algorithm().toString();
        RunArguments arguments =
                RequestArguments.of(asked, algorithm, pipelineParameters.toString(), made.isTask(), selector.digest());
        BiFunction<Plan, Persistence, PlanTask> tasks =
                (plan, how) -> new PlanTask(resources.engine(), description, how, open, plan, arguments, operator);
        if (chosen.algorithm().factory() instanceof CollectiveAlgorithm.Planned planned && !asked.isEmpty()) {
            PipelinedExecution.Fragmentation fragmentation = new PipelinedExecution.Fragmentation(
                    pipelineParameters,
                    shape.bytes(),
                    shape.width(),
                    bytes -> PipelinedExecution.plan(planned.algorithm(), asked, bytes),
                    plan -> tasks.apply(plan, Persistence.PERSISTENT));
            if (fragmentation.fragments() > 1) {
                return new PipelinedExecution(resources.engine(), description, persistence, fragmentation);
            }
        }
        PlanTask task = tasks.apply(made.plan(), persistence).with(made.tasks());
        return new Execution.Whole(task, made.isTask() ? made.tasks().getFirst() : null);
    }

    /// The number of the next post.
    ///
    /// @param many how many it takes
    long number(int many) {
        return port.next(many);
    }

    /// Refuses blocks that were freed.
    void checkBlocks(AskedCollective asked) {
        for (int block = 0; block < asked.blocks().size(); block++) {
            argumentChecks.checkAlive(asked.kind(), asked.blocks().get(block));
        }
    }

    /// Refuses a post on a team that has ended, by a thread that may not, or after a failure.
    void checkPost(AskedCollective asked) {
        teamSync.checkAlive(asked.kind().label());
        teamSync.gate().checkThread(asked.kind().label());
        checkBlocks(asked);
        RuntimeException over = port.failure(asked.kind().label());
        if (over != null) {
            throw over;
        }
    }

    /// Refuses a thread that may not use the team at all.
    void checkThread(String operation) {
        teamSync.gate().checkThread(operation);
    }

    /// Takes back what a request has. After a failure members may still write to it, until the team is over.
    ///
    /// @param isUntouched whether no member does, since it has not run or its last run has ended well
    void close(PeRequest request, boolean isUntouched) {
        if (!port.isOpen() || (port.failure(OperationKind.PREPARE.label()) != null && !isUntouched)) {
            return;
        }
        boolean isMine;
        synchronized (prepared) {
            isMine = prepared.remove(request);
        }
        if (isMine) {
            resources.requests().decrementAndGet();
            releaseScratch(request.scratch, request.scratchBytes());
        }
    }

    private void releaseScratch(long scratch, long bytes) {
        if (scratch != NONE) {
            resources.scratch().release(scratch, bytes);
        }
    }

    /// Returns the runtime of this PE.
    PeRuntime runtime() {
        return resources.runtime();
    }

    PeTracer tracer() {
        return resources.runtime().counters().tracer;
    }

    /// Whether a run is under way.
    public boolean isBusy() {
        synchronized (posted) {
            posted.removeIf(task -> !task.state().isUnderWay());
            if (!posted.isEmpty()) {
                return true;
            }
        }
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
            resources.runtime().room().awaitWork(new Quiescence(), WaitingRoom.FOREVER);
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
        public StatusLabel team() {
            return membership.label();
        }
    }

    /// Ends what I have, with nothing under way.
    public void close() {
        port.close();
        snapshot().forEach(PeRequest::end);
    }

    /// Gives back the memory of what is closed, to which no member writes any more.
    ///
    /// @return whether all writes by plans have ended; see [TeamPort#release]
    public boolean release() {
        boolean isOver = port.release();
        if (isOver) {
            snapshot().forEach(each -> releaseScratch(each.scratch, each.scratchBytes()));
        }
        synchronized (prepared) {
            resources.requests().addAndGet(-prepared.size());
            prepared.clear();
        }
        return isOver;
    }
}
