// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.World;
import java.io.Serializable;
import java.util.Iterator;

/// What a task of a barrier stage does as a PE of a world. Spark serialises it, with what it captures.
///
/// @param <T> the rows of the partition
/// @param <R> the results
@FunctionalInterface
public interface BarrierTask<T, R> extends Serializable {
    /// Runs in the thread of the task. The world closes after the return, so that the results must not need it.
    ///
    /// @param world of which this task is the PE with the number of its partition; [World#join] in this thread
    ///     joins it as well
    /// @param rows of the partition, to be read once
    /// @return the results of this partition, which Spark reads after the world has closed
    /// @throws Exception after which this PE has failed, for the others too; Spark then repeats the stage
    Iterator<R> call(World world, Iterator<T> rows) throws Exception;
}
