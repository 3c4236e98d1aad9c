// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.memory.StatusLabel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A task made of tasks, each of which starts once the one before it has completed.
///
/// The first failure of a part is the schedule's: those that have not started are then not started. If the schedule
/// fails by itself, the part in progress fails too.
///
/// A part that ends at its start makes the next one start in the same step, without recursion, however long the chain.
public final class Schedule extends CompositeTask {
    private final Task[] parts;
    private StartPolicy startPolicy = new StartPolicy() {};

    /// The part in progress, or that which starts next; behind all parts at the end.
    private int current;

    private boolean isRunning;

    /// Makes the schedule; its parts are its own from now on.
    ///
    /// @throws IllegalStateException if a part has been posted, or belongs to another schedule or engine
    public Schedule(
            ProgressEngine engine, TaskDescription description, Persistence persistence, List<? extends Task> parts) {
        super(engine, description, persistence);
        this.parts = parts.toArray(Task[]::new);
        for (Task part : parts) {
            part.adoptBy(this);
        }
    }

    @Override
    public List<Task> parts() {
        return List.of(parts);
    }

    /// Returns a part by its place.
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
        current = 0;
        isRunning = false;
        for (Task part : parts) {
            part.prepare();
        }
        startParts();
    }

    @Override
    protected boolean progress() {
        boolean moved = false;
        if (isRunning) {
            moved = parts[current].advance();
            completeIfOver();
        }
        moved |= startParts();
        return moved;
    }

    /// Starts the next part if it is admitted, and those after it while each ends at its start.
    private boolean startParts() {
        boolean moved = false;
        while (!isRunning && current < parts.length && startPolicy.admits(current)) {
            parts[current].launch();
            check(parts[current]);
            startPolicy.started(current);
            isRunning = true;
            moved = true;
            completeIfOver();
        }
        if (current == parts.length) {
            finish();
        }
        return moved;
    }

    private void completeIfOver() {
        Task part = parts[current];
        if (part.hasTerminated()) {
            check(part);
            startPolicy.completed(current);
            current++;
            isRunning = false;
        }
    }

    /// Returns the part in progress, or null; any thread may ask.
    private @Nullable Task running() {
        int place = current;
        return isRunning && place < parts.length ? parts[place] : null;
    }

    @Override
    public int awaitedPe() {
        Task running = running();
        return running == null ? -1 : running.awaitedPe();
    }

    @Override
    public @Nullable StatusLabel awaitedLayer() {
        Task running = running();
        return running == null ? null : running.awaitedLayer();
    }

    @Override
    public String text() {
        Task running = running();
        return super.text() + (running == null ? "" : ", at \"" + running.name() + "\"");
    }
}
