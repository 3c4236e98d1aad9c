// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.World;
import java.io.Serializable;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import scala.Function2;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/// What Spark serialises to each task of the barrier stage: joins the world, runs the user's task in it, and numbers
/// the results by [ResultKey].
abstract class TaskFunction<T, R> extends AbstractFunction1<Iterator<T>, Iterator<Tuple2<Long, R>>>
        implements Serializable {
    private static final long serialVersionUID = 1;

    private final String endpoint;

    /// @param endpoint of the driver, where a task asks for its world
    TaskFunction(String endpoint) {
        this.endpoint = endpoint;
    }

    abstract Iterator<R> call(World world, Iterator<T> rows) throws Exception;

    @Override
    public final Iterator<Tuple2<Long, R>> apply(Iterator<T> rows) {
        try {
            return ResultKey.number(TaskContext.getPartitionId(), TaskWorld.call(endpoint, world -> call(world, rows)));
        } catch (Exception e) {
            throw thrown(e); // Spark reports what the task has thrown, without a wrapper
        }
    }

    private static <I> I notNull(World world, @Nullable I results) {
        return Objects.requireNonNull(
                results,
                () -> "CoterieBarrier.run on PE " + world.pe()
                        + ": the task has returned null in place of an iterator");
    }

    @SuppressWarnings("unchecked")
    private static <X extends Exception> RuntimeException thrown(Exception e) throws X {
        throw (X) e;
    }

    static final class OfJava<T, R> extends TaskFunction<T, R> {
        private static final long serialVersionUID = 1;

        private final BarrierTask<T, R> task;

        OfJava(String endpoint, BarrierTask<T, R> task) {
            super(endpoint);
            this.task = task;
        }

        @Override
        Iterator<R> call(World world, Iterator<T> rows) throws Exception {
            return CollectionConverters.asScala(notNull(world, task.call(world, CollectionConverters.asJava(rows))));
        }
    }

    static final class OfScala<T, R> extends TaskFunction<T, R> {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // a function literal of Scala is serialisable; Spark says so of others
        private final Function2<World, Iterator<T>, Iterator<R>> task;

        OfScala(String endpoint, Function2<World, Iterator<T>, Iterator<R>> task) {
            super(endpoint);
            this.task = task;
        }

        @Override
        Iterator<R> call(World world, Iterator<T> rows) {
            return notNull(world, task.apply(world, rows));
        }
    }
}
