// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.memory.StatusLabel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A task made of tasks, some of which start after others have started or completed.
///
/// Each part counts the events that it still waits for; at 0 it is ready. Parts that are ready start in the
/// order in which they became so, ties in the order in which they were added. The first failure of a part is the
/// schedule's: parts that are in progress then fail too, and those that have not started are not started.
///
/// A part that ends at its start makes others ready in the same step, without recursion, however long the chain.
public final class Schedule extends CompositeTask {
    private final Task[] parts;
    private StartPolicy startPolicy = new StartPolicy() {};

    /// The number of events that each part waits for in a run.
    private final int[] needs;

    /// The parts that wait for the start of each part, and for its completion.
    private final int[][] afterStart;

    private final int[][] afterCompletion;

    /// The number of events that each part still waits for.
    private final int[] missing;

    /// Parts that wait for no event and have not started, in order.
    private final int[] ready;

    private int readyCount;

    /// Parts in progress, in order of their start.
    private final int[] running;

    private int runningCount;
    private int completed;

    Schedule(
            ProgressEngine engine,
            TaskDescription description,
            Persistence persistence,
            List<Task> parts,
            int[] needs,
            int[][] afterStart,
            int[][] afterCompletion) {
        super(engine, description, persistence);
        this.parts = parts.toArray(Task[]::new);
        this.needs = needs;
        this.afterStart = afterStart;
        this.afterCompletion = afterCompletion;
        this.missing = new int[parts.size()];
        this.ready = new int[parts.size()];
        this.running = new int[parts.size()];
        for (Task part : parts) {
            part.adoptBy(this);
        }
    }

    /// Returns a new builder.
    public static ScheduleBuilder of(ProgressEngine engine, TaskDescription description, Persistence persistence) {
        return new ScheduleBuilder(engine, description, persistence);
    }

    @Override
    public List<Task> parts() {
        return List.of(parts);
    }

    /// Returns a part by its place in that order.
    public Task part(int place) {
        return parts[place];
    }

    int size() {
        return parts.length;
    }

    void gate(StartPolicy keeper) {
        startPolicy = keeper;
    }

    @Override
    protected void start() {
        completed = 0;
        readyCount = 0;
        runningCount = 0;
        System.arraycopy(needs, 0, missing, 0, needs.length);
        for (int part = 0; part < parts.length; part++) {
            parts[part].prepare();
            if (missing[part] == 0) {
                ready[readyCount++] = part;
            }
        }
        startReady();
        finishIfComplete();
    }

    @Override
    protected boolean progress() {
        boolean moved = false;
        int present = runningCount;
        int kept = 0;
        for (int place = 0; place < present; place++) {
            int part = running[place];
            moved |= parts[part].advance();
            if (parts[part].hasTerminated()) {
                complete(part);
            } else {
                running[kept++] = part;
            }
        }
        runningCount = kept;
        moved |= startReady();
        finishIfComplete();
        return moved;
    }

    /// Returns the PE that the part waits for which has waited longest.
    @Override
    public int awaitedPe() {
        int count = runningCount;
        for (int place = 0; place < count; place++) {
            int pe = parts[running[place]].awaitedPe();
            if (pe != -1) {
                return pe;
            }
        }
        return -1;
    }

    @Override
    public @Nullable StatusLabel awaitedLayer() {
        int count = runningCount;
        StatusLabel layer = null;
        for (int place = 0; place < count && layer == null; place++) {
            layer = parts[running[place]].awaitedLayer();
        }
        return layer;
    }

    @Override
    public String text() {
        int count = runningCount;
        return super.text() + (count == 0 ? "" : ", at \"" + parts[running[0]].name() + "\"");
    }

    /// Starts the parts that are ready and admitted, and those that become ready by that.
    private boolean startReady() {
        int held = 0;
        int seen = 0;
        for (; seen < readyCount; seen++) {
            int part = ready[seen];
            if (startPolicy.admits(part)) {
                startPart(part);
            } else {
                ready[held++] = part;
            }
        }
        readyCount = held;
        return held < seen;
    }

    private void startPart(int part) {
        Task task = parts[part];
        task.launch();
        check(task);
        startPolicy.started(part);
        count(afterStart[part]);
        if (task.hasTerminated()) {
            complete(part);
        } else {
            running[runningCount++] = part;
        }
    }

    private void complete(int part) {
        check(parts[part]);
        completed++;
        startPolicy.completed(part);
        count(afterCompletion[part]);
    }

    private void count(int[] dependents) {
        for (int dependent : dependents) {
            if (--missing[dependent] == 0) {
                ready[readyCount++] = dependent;
            }
        }
    }

    private void finishIfComplete() {
        if (completed == parts.length) {
            finish();
        }
    }
}
