// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Looks at a running job again and again, and finds out when it is stuck. The launcher asks one that plugs in.
public interface JobWatcher {
    /// Looks at the job.
    ///
    /// @param nanoTime now, by the clock of processes
    /// @return news, if there are any
    Optional<Finding> look(JobRecords records, long nanoTime);

    /// What a watcher has found.
    ///
    /// @param report for people
    /// @param isFinal whether the job can't go on, whatever runs
    /// @param fields the same as maps, lists, strings and numbers
    /// @param nanoTime when it was found, by the clock of processes
    record Finding(String report, boolean isFinal, Map<String, Object> fields, long nanoTime) {}

    /// Makes watchers, one for each job.
    interface Provider {
        /// Returns a watcher.
        ///
        /// @param stall for how long nothing must have moved before the watcher looks for the cause
        JobWatcher watch(Duration stall);
    }
}
