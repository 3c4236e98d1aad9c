// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.cluster.WorldJoin;
import coterie.cluster.WorldJoin.WorldTask;
import coterie.spi.HostedPe;
import java.util.Map;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskInterruptListener;
import org.jspecify.annotations.Nullable;

/// The world of a task: joins it as the PE with the number of the partition, runs the user's part, and closes it. A
/// task that Spark kills fails as a PE at once, so that no wait in the world outlives it.
final class TaskWorld implements TaskInterruptListener {
    private final Thread thread = Thread.currentThread();
    private boolean joining = true;
    private @Nullable HostedPe pe;
    private @Nullable String killed;

    private TaskWorld() {}

    /// Runs a part of a task, in the thread of the task.
    ///
    /// @param endpoint of the driver, by which it tells which world
    static <R> R call(String endpoint, WorldTask<R, Exception> part) throws Exception {
        BarrierTaskContext context = BarrierTaskContext.get();
        ExecutorJvm.check();
        WorldRequest request = WorldRequest.of(context);
        checkTasks(context, request);
        WorldRequest.Answer answer = request.ask(endpoint);
        WorldJoin join = WorldJoin.by(answer.key()).pe(request.partition());
        for (Map.Entry<String, String> each : answer.settings().entrySet()) {
            join = join.with(each.getKey(), each.getValue());
        }
        TaskWorld world = new TaskWorld();
        context.addTaskInterruptListener(world);
        try {
            return WorldJoin.callIn(world.joined(join), part);
        } finally {
            world.leave();
        }
    }

    /// Spark runs some tasks of a stage alone if it has lost their results after the stage has ended. If one of them
    /// fails, it runs the whole stage.
    private static void checkTasks(BarrierTaskContext context, WorldRequest request) {
        int running = context.getTaskInfos().length;
        if (running != request.size()) {
            throw new IllegalStateException(request + ": Spark has lost results of an attempt before, and runs "
                    + running + " of " + request.size() + " tasks; a world needs all, which the next attempt has");
        }
    }

    private HostedPe joined(WorldJoin join) {
        try {
            HostedPe joined = join.open();
            String why;
            synchronized (this) {
                pe = joined;
                why = killed;
            }
            if (why != null) {
                joined.fail(why);
            }
            return joined;
        } finally {
            synchronized (this) {
                joining = false;
            }
        }
    }

    private synchronized void leave() {
        pe = null;
    }

    @Override
    public void onTaskInterrupted(TaskContext context, String reason) {
        String why = "Spark has killed its task: " + reason;
        HostedPe running;
        synchronized (this) {
            killed = why;
            running = pe;
            if (running == null && joining) {
                thread.interrupt(); // which ends a join
            }
        }
        if (running != null) {
            running.fail(why);
        }
    }
}
