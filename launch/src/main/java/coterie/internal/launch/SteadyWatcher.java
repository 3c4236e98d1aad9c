// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.Optional;
import java.util.function.Consumer;

/// Goes on after a look that has failed: the next one finds other records, or the machine with more memory. It
/// prints the first failure.
final class SteadyWatcher implements JobWatcher {
    private final JobWatcher watcher;
    private final Consumer<? super String> printer;
    private boolean hasFailed;

    SteadyWatcher(JobWatcher watcher, Consumer<? super String> printer) {
        this.watcher = watcher;
        this.printer = printer;
    }

    @Override
    public Optional<Finding> look(JobRecords records, long nanoTime) {
        try {
            return watcher.look(records, nanoTime);
        } catch (RuntimeException | Error e) { // an error of one look, such as a full stack, says nothing of the next
            if (!hasFailed) {
                hasFailed = true;
                printer.accept("a look for deadlocks has failed, and the launcher goes on looking: " + e);
            }
            return Optional.empty();
        }
    }
}
