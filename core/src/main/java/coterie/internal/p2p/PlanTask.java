// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.PeFailedException;
import coterie.internal.memory.StatusLabel;
import coterie.internal.plan.Action;
import coterie.internal.plan.Plan;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.schedule.Task;
import coterie.internal.schedule.TaskDescription;
import coterie.internal.schedule.TaskState;
import coterie.internal.wait.UpcallGuard;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Runs a plan. Each run is [#set] or [#queue]d first: its lane, its number, and where its buffers are.
public final class PlanTask extends Task {
    private final ChannelGroup channelGroup;
    private final TeamEndpoint endpoint;
    private List<CompiledPlan> plans;
    private CompiledPlan compiledPlan;
    private final RunArguments arguments;

    private final PlanWork planWork;

    /// Messages of the current step that are not through, in their order.
    private PendingMessage[] open;

    private int left;

    private int step;

    /// What the next run, or the one under way, is: its lane, and its number, which is 0 before the first.
    private VirtualChannel channel;

    private long sequence;

    /// Whether a run has been set that has not been posted.
    private boolean isSet;

    /// Whether the run's turn on its lane must be waited for, and passed on at its end.
    private boolean takesTurns;

    private long turn;
    private @Nullable BooleanSupplier condition;

    /// Whether the run under way has begun: it is the lane's latest.
    private boolean hasBegun;

    /// The tasks of layers that the plan's steps begin.
    private ExternalTasks externalTasks = new ExternalTasks(List.of());

    private final StallTimer stallTimer = new StallTimer(); // after which it sends a hello, and looks for others'
    private int next; // the member, on some lane, to look at next

    /// @param description of the collective; its kind is a part of what members compare
    /// @param plan this member's
    /// @param arguments the same on all members
    public PlanTask(
            ProgressEngine engine,
            TaskDescription description,
            Persistence persistence,
            ChannelGroup channelGroup,
            Plan plan,
            RunArguments arguments,
            Operator operator) {
        super(engine, description, persistence);
        this.channelGroup = channelGroup;
        this.endpoint = channelGroup.endpoint;
        this.channel = channelGroup.channels[0];
        this.arguments = arguments;
        this.plans = List.of(new CompiledPlan(plan, endpoint.memberAddresses));
        this.compiledPlan = plans.getFirst();
        this.open = new PendingMessage[compiledPlan.most];
        this.planWork = new PlanWork(endpoint, operator, compiledPlan.isDirect);
    }

    /// Sets the tasks of layers that the plan's steps begin; this task closes them.
    public PlanTask with(List<? extends ExternalTask> tasks) {
        externalTasks = new ExternalTasks(tasks);
        return this;
    }

    /// Has it know another plan too.
    public PlanTask or(Plan other) {
        plans = List.of(plans.getFirst(), new CompiledPlan(other, endpoint.memberAddresses));
        open = new PendingMessage[Math.max(plans.getFirst().most, plans.getLast().most)];
        return this;
    }

    /// Has the next run follow its first plan, or the other one.
    public PlanTask follow(boolean isFirst) {
        compiledPlan = isFirst ? plans.getFirst() : plans.getLast();
        return this;
    }

    public Plan plan() {
        return compiledPlan.plan;
    }

    /// Says what the next run is.
    ///
    /// @param laneNumber of the port; no other run uses it until this one is over
    /// @param number of the collective in its team; higher than all before it on the lane, and at least 1
    /// @param source offset of the source buffer in my heap
    /// @param target offset of the target buffer in my heap
    /// @param scratch offset of the scratch buffer in my heap, or −1 if the plan needs none
    public PlanTask set(int laneNumber, long number, long source, long target, long scratch) {
        VirtualChannel on = channelGroup.channels[laneNumber];
        if (state() == TaskState.IN_PROGRESS || on.isUnderWay || number <= RunTag.sequence(on.tag)) {
            throw new IllegalStateException(
                    describe() + ": can't set run #" + number + " on channel " + laneNumber + ", whose latest run is "
                            + RunTag.text(on.tag) + (on.isUnderWay ? ", under way" : "") + "; this task is " + state());
        }
        prepare(on, number, source, target, scratch);
        takesTurns = false;
        return this;
    }

    /// Says what the next run is, which begins when it is its turn. Runs that are queued share lanes with no
    /// others.
    ///
    /// @param number of the run among all that are queued through the port, from 0 on; not again
    /// @param when before which it does not begin, or null
    /// @see #set
    public PlanTask queue(long number, @Nullable BooleanSupplier when, long source, long target, long scratch) {
        if (state() == TaskState.IN_PROGRESS) {
            throw new IllegalStateException(
                    describe() + ": can't queue run #" + number + " while another run is under way");
        }
        int lanes = channelGroup.channels.length;
        prepare(channelGroup.channels[(int) (number % lanes)], number + 1, source, target, scratch);
        turn = number / lanes;
        condition = when;
        takesTurns = true;
        return this;
    }

    private void prepare(VirtualChannel on, long number, long source, long target, long scratch) {
        channel = on;
        sequence = number;
        planWork.set(source, target, scratch);
        left = 0;
        isSet = true;
    }

    @Override
    protected void start() {
        if (!isSet) {
            throw new IllegalStateException(describe() + ": no run configured: call set() or queue() before post()");
        }
        isSet = false;
        hasBegun = false;
        if (mayBegin()) {
            begin(channel);
        }
    }

    /// Whether it is its turn, and what it waits for has happened.
    private boolean mayBegin() {
        if (!takesTurns) {
            return true;
        }
        BooleanSupplier awaited = condition;
        if (awaited != null && !holds(awaited)) {
            return false;
        }
        condition = null; // polled before it is my turn: the condition need not stay true
        return channel.turn() == turn;
    }

    private boolean holds(BooleanSupplier awaited) {
        UpcallGuard upcallGuard = endpoint.runtime.upcallGuard();
        upcallGuard.begin();
        try {
            return awaited.getAsBoolean();
        } finally {
            upcallGuard.end();
        }
    }

    private void begin(VirtualChannel on) {
        hasBegun = true;
        on.enter();
        try {
            on.begin(RunTag.of(sequence, kind()), arguments);
            AbortReason death = channelGroup.abortReason();
            if (death != null) {
                throw on.end(death);
            }
            planWork.begin();
            step = -1;
            stallTimer.renew();
            advance(on);
        } finally {
            on.leave();
        }
        advanceChannel(on);
    }

    /// Lets the next run on the lane begin, once this one is over.
    private void advanceChannel(VirtualChannel on) {
        if (takesTurns && hasBegun && !on.isUnderWay) {
            takesTurns = false;
            on.advanceTo(turn + 1);
        }
    }

    @Override
    protected boolean progress() {
        VirtualChannel on = channel;
        endpoint.polled();
        if (!hasBegun) {
            if (mayBegin()) {
                begin(on);
                return true;
            }
            RuntimeException over = channelGroup.failure(RunTag.text(RunTag.of(sequence, kind())));
            if (over != null) {
                throw over;
            }
            return false;
        }
        boolean moved = tryAdvance(on);
        advanceChannel(on);
        return moved;
    }

    private boolean tryAdvance(VirtualChannel on) {
        on.enter();
        try {
            if (advance(on)) {
                stallTimer.renew();
                return true;
            }
            poll(on);
            return false;
        } finally {
            on.leave();
        }
    }

    /// Goes as far as it can; returns whether something moved.
    private boolean advance(VirtualChannel on) {
        boolean moved = exchange();
        moved |= externalTasks.advance();
        while (left == 0 && !awaitsTasks()) {
            if (step >= 0) {
                for (Action.Work each : compiledPlan.work[step]) {
                    planWork.perform(each);
                }
            }
            moved = true;
            if (step + 1 == compiledPlan.messages.length) {
                on.isUnderWay = false;
                finish();
                return true;
            }
            begin(on, step + 1);
            exchange();
            externalTasks.advance();
        }
        return moved;
    }

    private boolean awaitsTasks() {
        return step >= 0 && compiledPlan.awaits[step] && externalTasks.areRunning();
    }

    private void begin(VirtualChannel on, int number) {
        step(number);
        step = number;
        for (PendingMessage message : compiledPlan.messages[number]) {
            message.begin(on.connection(message.member));
            open[left++] = message;
        }
        for (int task : compiledPlan.tasks[number]) {
            externalTasks.begin(task, sequence);
        }
    }

    /// Moves the messages of the step on; returns whether one is through that was not.
    private boolean exchange() {
        int still = 0;
        for (int each = 0; each < left; each++) {
            PendingMessage message = open[each];
            if (!message.move(endpoint, planWork)) {
                open[still++] = message;
            }
        }
        boolean moved = still < left;
        left = still;
        return moved;
    }

    /// Looks why it does not go on: whether a member has given up, or waits for what I will never send.
    private void poll(VirtualChannel on) {
        AbortReason reason = channelGroup.abortReason();
        for (int each = 0; each < left && reason == null; each++) {
            reason = channelGroup.peerAbort(open[each].member, on.tag);
        }
        int size = endpoint.memberAddresses.size();
        for (int member = 0; externalTasks.areRunning() && member < size && reason == null; member++) {
            reason = channelGroup.peerAbort(member, on.tag);
        }
        if (reason != null) {
            throw on.end(reason);
        }
        if (!stallTimer.hasElapsed(endpoint.room)) {
            return;
        }
        if (stallTimer.isDue()) {
            for (int each = 0; each < left; each++) {
                open[each].probe();
            }
        }
        next = next + 1 < size * channelGroup.channels.length ? next + 1 : 0;
        int member = next % size;
        if (member != endpoint.memberAddresses.me()) {
            pollMember(member, channelGroup.channels[next / size], on);
        }
    }

    /// Looks at a member that may have nothing to do with the run: because of it, one that I wait for may never come.
    private void pollMember(int member, VirtualChannel other, VirtualChannel on) {
        AbortReason told = channelGroup.peerAbort(member, on.tag);
        AbortReason found = told == null ? channelGroup.pollMember(other, member, other == on) : told;
        if (found != null) {
            throw on.end(found);
        }
    }

    @Override
    protected void stop(RuntimeException why) {
        channelGroup.lost(sequence);
        AbortReason found = hasBegun ? channel.reason : null;
        if (found == null) {
            channelGroup.abort(AbortReason.of(why, endpoint.memberAddresses.myPe(), RunTag.of(sequence, kind())), why);
        } else {
            channelGroup.abort(found, null);
        }
        if (hasBegun) { // only now: a thread that looks at the lane must not take it for a run that is over
            channel.enter();
            channel.isUnderWay = false;
            channel.leave();
            advanceChannel(channel);
        }
        externalTasks.stop(why); // what it throws stops nothing that the others wait for
    }

    @Override
    protected @Nullable RuntimeException lost() {
        for (int each = 0; each < left; each++) {
            if (endpoint.runtime.hasTerminated(open[each].pe())) {
                return lost(open[each].pe());
            }
        }
        for (int member = 0; externalTasks.areRunning() && member < endpoint.memberAddresses.size(); member++) {
            if (endpoint.runtime.hasTerminated(endpoint.memberAddresses.pe(member))) {
                return lost(endpoint.memberAddresses.pe(member));
            }
        }
        return endOfTeam();
    }

    @Override
    protected @Nullable RuntimeException revoked() {
        return endOfTeam();
    }

    /// Returns why the team has ended, or null. If a member has told its cause, this one passes that on, and not that
    /// it has learnt of an end.
    private @Nullable RuntimeException endOfTeam() {
        RuntimeException end = channelGroup.cause.check();
        if (end != null && hasBegun && channel.reason == null) {
            channel.reason = channelGroup.told();
        }
        return end;
    }

    @Override
    protected void release() {
        closeExternal();
    }

    /// Closes the tasks of layers; no run will come.
    public void closeExternal() {
        ExternalTasks all = externalTasks;
        externalTasks = new ExternalTasks(List.of());
        all.close();
    }

    private PeFailedException lost(int pe) {
        String prefix = endpoint.memberAddresses.messagePrefix(RunTag.text(channel.tag));
        List<Integer> failed = endpoint.memberAddresses.failed(pe, endpoint.runtime).stream()
                .sorted()
                .toList();
        return new PeFailedException(prefix + "PE " + pe + " " + endpoint.runtime.terminationCause(pe), failed);
    }

    @Override
    public long sequence() {
        return sequence == 0 ? -1 : sequence;
    }

    @Override
    public int awaitedPe() {
        PendingMessage first = left > 0 ? open[0] : null;
        return first == null ? externalTasks.awaitedPe() : first.pe();
    }

    @Override
    public @Nullable StatusLabel awaitedLayer() {
        return left > 0 ? null : externalTasks.awaitedLayer();
    }
}
