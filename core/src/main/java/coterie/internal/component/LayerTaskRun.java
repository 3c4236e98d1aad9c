// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.collective.Explanation.Use;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.layer.LayerErrors;
import coterie.internal.memory.StatusLabel;
import coterie.internal.p2p.ExternalTask;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.UpcallGuard;
import coterie.layer.LayerTask;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A layer's task as a part of a run: guarded against other threads, its failures named, its runs traced.
final class LayerTaskRun implements ExternalTask {
    /// Tasks of one layer and one group in a run.
    static final int MOST = 1 << 16;

    /// The ordinal of the first task that a composition has of its own layer: beyond those of groups.
    static final int FIRST_OWN = MOST / 2;

    private final Component component;
    private final LayerTask task;
    private final BooleanSupplier start;
    private final BooleanSupplier progress;

    /// For messages, such as `allreduce by ring on team "world"`.
    private final String what;

    private final String traced;
    private final int ordinal;
    private final LayerArguments arguments;
    private final PeTracer tracer;
    private final UpcallGuard upcallGuard;
    private long began;

    /// What the layer has as the number of the run under way.
    private long run;

    /// When the next run starts its work, or null at once.
    private @Nullable BooleanSupplier condition;

    /// Whether the run under way polls a program's condition.
    private boolean isTriggered;

    /// Whether the next begin has been done by [#completesAtOnce].
    private boolean hasBegun;

    /// What that has thrown, or null.
    private @Nullable RuntimeException thrown;

    /// @param ordinal of the task among those that its layer has for its group in a run, from 0
    LayerTaskRun(
            TeamComponent part,
            String algorithm,
            String level,
            LayerArguments arguments,
            LayerTask task,
            int ordinal,
            PeRuntime runtime) {
        this.component = part.component();
        this.task = task;
        this.start = this::start;
        this.progress = task::progress;
        this.what = arguments.type().label() + " by " + algorithm + " on team \""
                + part.view().name() + "\"";
        this.traced = (level.isEmpty() ? "" : level + " ") + arguments.type().label() + " by " + component.name() + "/"
                + algorithm;
        this.ordinal = ordinal;
        this.arguments = arguments;
        this.tracer = runtime.counters().tracer;
        this.upcallGuard = runtime.upcallGuard();
        if (ordinal >= MOST) {
            throw new IllegalArgumentException(
                    "composition: more than " + MOST + " collectives of one group by one layer");
        }
    }

    @Override
    public boolean takes(BooleanSupplier when) {
        try {
            boolean takes = component.callGuarded(task::takesTriggers);
            condition = takes ? when : null;
            return takes;
        } catch (RuntimeException | Error e) {
            throw failed(e);
        }
    }

    /// Begins a run that no condition holds back, and returns whether it is complete at once. If not, the run goes on
    /// by [#begin] with the same number, which throws what this has thrown.
    boolean completesAtOnce(long number) {
        announce(number);
        try {
            boolean isComplete = component.tryGuarded(start);
            if (isComplete) {
                hasBegun = false;
                traceEnd();
            }
            return isComplete;
        } catch (RuntimeException | Error e) {
            thrown = failed(e);
            return false;
        }
    }

    private boolean start() {
        task.post(run);
        hasBegun = true;
        return task.progress();
    }

    private void announce(long number) {
        began = Tracing.ON ? System.nanoTime() : 0;
        run = 2 * (number * MOST + ordinal) + (arguments.work().use() == Use.CALL ? 1 : 0);
    }

    private void traceEnd() {
        if (Tracing.ON) {
            tracer.end(began, EventKind.STAGE, traced, -1, 0, arguments.bytes(), 0);
        }
    }

    @Override
    public void begin(long number) {
        RuntimeException before = thrown;
        if (hasBegun || before != null) {
            hasBegun = false;
            thrown = null;
            if (before != null) {
                throw before;
            }
            return;
        }
        announce(number);
        BooleanSupplier when = condition;
        condition = null;
        isTriggered = when != null;
        try {
            component.callGuarded(when == null ? () -> task.post(run) : () -> task.postWhen(run, when));
        } catch (RuntimeException | Error e) {
            throw failed(e);
        }
    }

    @Override
    public boolean progress() {
        boolean isOver;
        boolean callsProgram = isTriggered;
        if (callsProgram) {
            upcallGuard.begin();
        }
        try {
            isOver = component.tryGuarded(progress);
        } catch (RuntimeException | Error e) {
            throw failed(e);
        } finally {
            if (callsProgram) {
                upcallGuard.end();
            }
        }
        if (isOver) {
            traceEnd();
        }
        return isOver;
    }

    /// The failure of a layer is no failure of a PE, whatever the layer says.
    private RuntimeException failed(Throwable why) {
        LayerErrors.passOnFatal(why);
        if (why instanceof RuntimeException its
                && arguments.work().folding() instanceof NotedOperator noted
                && noted.hasThrown(why)) {
            return its;
        }
        return new LayerFailedException(
                component, what, arguments.team().pe(arguments.team().me()), why);
    }

    @Override
    public StatusLabel layer() {
        return component.label();
    }

    @Override
    public void stop(RuntimeException why) {
        component.callGuarded(() -> task.stop(why));
    }

    @Override
    public void close() {
        Components.quietly(component + "'s task", () -> component.callGuarded(task::close));
    }
}
