// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.testing.Patience;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/// An action that runs in another thread, whose tasks wait in their world.
final class Waiting {
    static final String GROUP = "waiting";

    /// Spark's number of each task that has come to its wait, by PE: tasks are threads of this JVM.
    static final Map<Integer, Long> IN_WORLDS = new ConcurrentHashMap<>();

    private final FutureTask<List<Integer>> action;

    private Waiting(JavaSparkContext spark, JavaRDD<Integer> results) {
        action = new FutureTask<>(() -> {
            spark.setJobGroup(GROUP, "tasks that wait", false);
            return results.collect();
        });
        Thread.ofPlatform().start(action);
    }

    static Waiting in(JavaSparkContext spark, JavaRDD<Integer> results) {
        IN_WORLDS.clear();
        return new Waiting(spark, results);
    }

    /// Waits until as many tasks have come to their waits.
    ///
    /// @return their numbers by PE
    Map<Integer, Long> awaitTasks(int tasks) {
        Patience.until(tasks + " tasks wait", () -> IN_WORLDS.size() == tasks);
        return IN_WORLDS;
    }

    List<Integer> result() throws InterruptedException {
        try {
            return action.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    Throwable failure() throws InterruptedException {
        try {
            throw new AssertionError("it has returned " + action.get());
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
