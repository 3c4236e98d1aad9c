// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.Event;
import coterie.PeFailedException;
import coterie.internal.mapped.Copy;
import coterie.internal.plan.Action;
import coterie.internal.plan.Buffer;
import coterie.internal.plan.Plan;
import coterie.internal.posix.AddressSpace;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.schedule.Purpose;
import coterie.internal.schedule.Reuse;
import coterie.internal.schedule.Task;
import coterie.internal.schedule.TaskState;
import coterie.internal.wait.Callouts;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs a plan. Each run is [#set] or [#queue]d first: its lane, its number, and where its buffers are.
public final class PlanTask extends Task {
    private final Port port;
    private List<Script> scripts;
    private Script script;
    private final Terms terms;
    private final Operator operator;

    /// By the ordinal of a [Buffer]: where it begins in my heap.
    private final long[] buffers = new long[Buffer.values().length];

    /// Messages of the current step that are not through, in their order.
    private @Nullable Letter[] open;

    private int left;

    private int step;

    /// What the next run, or the one under way, is.
    private @Nullable Lane lane;

    private long sequence;

    /// Whether a run has been set that has not been posted.
    private boolean isSet;

    /// Whether the run's turn on its lane must be waited for, and passed on at its end.
    private boolean takesTurns;

    private long turn;
    private @Nullable Event event;

    /// Whether the run under way has begun: it is the lane's latest.
    private boolean hasBegun;

    /// What each run is over with, if not with its plan.
    private @Nullable Sequel sequel;

    /// Whether the sequel of the run under way has begun, and is not over.
    private boolean isInSequel;

    private long heap;

    /// After which it says hello to whom it waits for, and looks who waits for it.
    private final Patience patience = new Patience();

    /// Which member on which lane is looked at next.
    private int next;

    /// @param purpose of the collective; its kind is a part of what members compare
    /// @param plan this member's
    /// @param terms of the arguments, the same on all members
    public PlanTask(
            ProgressEngine engine, Purpose purpose, Reuse reuse, Port port, Plan plan, Terms terms, Operator operator) {
        super(engine, purpose, reuse);
        this.port = port;
        this.terms = terms;
        this.operator = operator;
        this.scripts = List.of(new Script(plan, port.members));
        this.script = scripts.getFirst();
        this.open = new Letter[script.most];
    }

    /// Lets something go on behind the plan, in each run to come.
    public PlanTask then(Sequel after) {
        sequel = after;
        return this;
    }

    /// Has it know another plan too.
    public PlanTask or(Plan other) {
        scripts = List.of(scripts.getFirst(), new Script(other, port.members));
        open = new Letter[Math.max(scripts.getFirst().most, scripts.getLast().most)];
        return this;
    }

    /// Has the next run follow its first plan, or the other one.
    public PlanTask follow(boolean isFirst) {
        script = isFirst ? scripts.getFirst() : scripts.getLast();
        return this;
    }

    public Plan plan() {
        return script.plan;
    }

    /// Says what the next run is.
    ///
    /// @param laneNumber of the port; no other run uses it until this one is over
    /// @param number of the collective in its team; higher than all before it on the lane, and at least 1
    /// @param source offset of the source buffer in my heap
    /// @param target offset of the target buffer in my heap
    /// @param scratch offset of the scratch buffer in my heap, or −1 if the plan needs none
    public PlanTask set(int laneNumber, long number, long source, long target, long scratch) {
        Lane on = port.lane(laneNumber);
        if (state() == TaskState.IN_PROGRESS || on.isUnderWay || number <= Tag.sequence(on.tag)) {
            throw new IllegalStateException(
                    describe() + ": run #" + number + " on lane " + laneNumber + ", whose latest" + " is "
                            + Tag.text(on.tag) + (on.isUnderWay ? ", under way" : "") + "; this is " + state());
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
    public PlanTask queue(long number, @Nullable Event when, long source, long target, long scratch) {
        if (state() == TaskState.IN_PROGRESS) {
            throw new IllegalStateException(describe() + ": run #" + number + " is queued while one is under way");
        }
        int lanes = port.lanes();
        prepare(port.lane((int) (number % lanes)), number + 1, source, target, scratch);
        turn = number / lanes;
        event = when;
        takesTurns = true;
        return this;
    }

    private void prepare(Lane on, long number, long source, long target, long scratch) {
        lane = on;
        sequence = number;
        buffers[Buffer.SOURCE.ordinal()] = source;
        buffers[Buffer.TARGET.ordinal()] = target;
        // A plan without scratch, such as a barrier's, may run before there is a heap.
        buffers[Buffer.SCRATCH.ordinal()] = Math.max(0, scratch);
        left = 0;
        isSet = true;
    }

    @Override
    protected void start() {
        Lane on = lane;
        if (on == null || !isSet) {
            throw new IllegalStateException(describe() + ": nobody has said what run it is");
        }
        isSet = false;
        hasBegun = false;
        if (mayBegin(on)) {
            begin(on);
        }
    }

    /// Whether it is its turn, and what it waits for has happened.
    private boolean mayBegin(Lane on) {
        if (!takesTurns) {
            return true;
        }
        Event awaited = event;
        if (awaited != null && !hasHappened(awaited)) {
            return false;
        }
        event = null; // asked before it is my turn, since it may not tell for long that it has happened
        return on.turn() == turn;
    }

    private boolean hasHappened(Event awaited) {
        Callouts callouts = port.room.callouts();
        callouts.begin();
        try {
            return awaited.hasHappened();
        } finally {
            callouts.end();
        }
    }

    private void begin(Lane on) {
        hasBegun = true;
        on.enter();
        try {
            on.begin(Tag.of(sequence, kind()), terms);
            Cause death = port.death();
            if (death != null) {
                throw on.end(death);
            }
            heap = port.conduit.localBase(Region.HEAP);
            step = -1;
            patience.renew();
            advance(on);
        } finally {
            on.leave();
        }
        passTurn(on);
    }

    /// Lets the next run on the lane begin, once this one is over.
    private void passTurn(Lane on) {
        if (takesTurns && hasBegun && !on.isUnderWay) {
            takesTurns = false;
            on.pass(turn + 1);
        }
    }

    @Override
    protected boolean progress() {
        Lane on = lane();
        port.polled();
        if (!hasBegun) {
            if (mayBegin(on)) {
                begin(on);
                return true;
            }
            RuntimeException over = port.failure(Tag.text(Tag.of(sequence, kind())));
            if (over != null) {
                throw over;
            }
            return false;
        }
        boolean moved = tryAdvance(on);
        passTurn(on);
        return moved;
    }

    private boolean tryAdvance(Lane on) {
        on.enter();
        try {
            if (advance(on)) {
                patience.renew();
                return true;
            }
            look(on);
            return false;
        } finally {
            on.leave();
        }
    }

    /// Goes as far as it can; returns whether something moved.
    private boolean advance(Lane on) {
        if (isInSequel) {
            return advanceSequel(on);
        }
        boolean moved = exchange();
        while (left == 0) {
            if (step >= 0) {
                for (Action.Work each : script.work[step]) {
                    perform(each);
                }
            }
            moved = true;
            if (step + 1 == script.letters.length) {
                endPlan(on);
                return true;
            }
            begin(on, step + 1);
            exchange();
        }
        return moved;
    }

    private void endPlan(Lane on) {
        Sequel after = sequel;
        if (after == null) {
            end(on);
        } else {
            isInSequel = true;
            after.begin(sequence);
            advanceSequel(on);
        }
    }

    private boolean advanceSequel(Lane on) {
        boolean isOver = sequel != null && sequel.progress();
        if (isOver) {
            isInSequel = false;
            end(on);
        }
        return isOver;
    }

    private void end(Lane on) {
        on.isUnderWay = false;
        finish();
    }

    private void begin(Lane on, int number) {
        step(number);
        step = number;
        for (Letter letter : script.letters[number]) {
            letter.begin(on.pair(letter.member));
            open[left++] = letter;
        }
    }

    /// Moves the messages of the step on; returns whether one is through that was not.
    private boolean exchange() {
        int still = 0;
        for (int each = 0; each < left; each++) {
            Letter letter = open[each];
            if (letter != null && !letter.move(port, heap, buffers[letter.buffer.ordinal()])) {
                open[still++] = letter;
            }
        }
        boolean moved = still < left;
        left = still;
        return moved;
    }

    private void perform(Action.Work action) {
        switch (action) {
            case Action.Copy(var target, var source) -> {
                long from = offset(source.buffer()) + source.offset();
                long to = offset(target.buffer()) + target.offset();
                port.reads(from, source.bytes());
                port.writes(to, source.bytes());
                Copy.copy(AddressSpace.ALL, heap + from, AddressSpace.ALL, heap + to, source.bytes());
            }
            case Action.Fold(var target, var left, var right) -> {
                long one = offset(left.buffer()) + left.offset();
                long other = offset(right.buffer()) + right.offset();
                long to = offset(target.buffer()) + target.offset();
                port.reads(one, target.bytes());
                port.reads(other, target.bytes());
                port.writes(to, target.bytes());
                operator.fold(
                        AddressSpace.ALL,
                        heap + to,
                        AddressSpace.ALL,
                        heap + one,
                        AddressSpace.ALL,
                        heap + other,
                        target.bytes());
            }
            case Action.Clear(var target) -> {
                long to = offset(target.buffer()) + target.offset();
                port.writes(to, target.bytes());
                operator.clear(AddressSpace.ALL, heap + to, target.bytes());
            }
            case Action.Finish(var target) -> {
                long at = offset(target.buffer()) + target.offset();
                port.reads(at, target.bytes());
                port.writes(at, target.bytes());
                operator.finish(AddressSpace.ALL, heap + at, target.bytes());
            }
        }
    }

    private long offset(Buffer buffer) {
        return buffers[buffer.ordinal()];
    }

    /// Looks why it does not go on: whether somebody has given up, or waits for me in vain.
    private void look(Lane on) {
        Cause cause = port.death();
        for (int each = 0; each < left && cause == null; each++) {
            Letter letter = open[each];
            cause = letter == null ? null : port.farewell(letter.member, on.tag);
        }
        for (int member = 0; isInSequel && member < port.members.size() && cause == null; member++) {
            cause = port.farewell(member, on.tag);
        }
        if (cause != null) {
            throw on.end(cause);
        }
        if (!patience.isOver(port.room)) {
            return;
        }
        if (patience.isTimeToTell()) {
            for (int each = 0; each < left; each++) {
                Letter letter = open[each];
                if (letter != null) {
                    letter.greet();
                }
            }
        }
        int size = port.members.size();
        next = next + 1 < size * port.lanes() ? next + 1 : 0;
        int member = next % size;
        if (member != port.members.me()) {
            lookAt(member, port.lane(next / size), on);
        }
    }

    /// Looks at one who may have nothing to do with the run: whom I wait for may never come because of that one.
    private void lookAt(int member, Lane lane, Lane on) {
        Cause told = port.farewell(member, on.tag);
        Cause found = told == null ? port.lookAt(lane, member, lane == on) : told;
        if (found != null) {
            throw on.end(found);
        }
    }

    @Override
    protected void stop(RuntimeException why) {
        Lane on = hasBegun ? lane : null;
        Cause found = on == null ? null : on.cause;
        if (found == null) {
            port.die(Cause.of(why, port.members.myPe(), Tag.of(sequence, kind())), terms, why);
        } else {
            port.die(found, terms, null);
        }
        if (on != null) { // only now: who looks at the lane must not take it for a run that is over
            on.enter();
            on.isUnderWay = false;
            on.leave();
            passTurn(on);
        }
        if (isInSequel && sequel != null) {
            isInSequel = false;
            sequel.stop(why); // what it throws stops nothing that the others wait for
        }
    }

    @Override
    protected @Nullable RuntimeException lost() {
        for (int each = 0; each < left; each++) {
            Letter letter = open[each];
            if (letter != null && port.room.isOver(letter.pe())) {
                return lost(letter.pe());
            }
        }
        for (int member = 0; isInSequel && member < port.members.size(); member++) {
            if (port.room.isOver(port.members.pe(member))) {
                return lost(port.members.pe(member));
            }
        }
        return port.cause.check();
    }

    @Override
    protected void release() {
        endSequel();
    }

    /// Has what goes on behind the plan let go of all; no run will come.
    public void endSequel() {
        Sequel after = sequel;
        if (after != null) {
            sequel = null;
            after.close();
        }
    }

    private PeFailedException lost(int pe) {
        List<Integer> failed = new ArrayList<>();
        for (int member = 0; member < port.members.size(); member++) {
            int each = port.members.pe(member);
            if (each == pe || port.room.hasFailed(each)) {
                failed.add(each);
            }
        }
        failed.sort(null);
        return new PeFailedException(
                port.members.who(Tag.text(lane().tag)) + "PE " + pe + " " + port.room.fate(pe), failed);
    }

    @Override
    public long sequence() {
        return lane == null ? -1 : sequence;
    }

    @Override
    public int awaitedPe() {
        Letter first = left > 0 ? open[0] : null;
        return first == null ? -1 : first.pe();
    }

    private Lane lane() {
        Lane on = lane;
        if (on == null) {
            throw new IllegalStateException(describe() + ": it has no lane");
        }
        return on;
    }
}
