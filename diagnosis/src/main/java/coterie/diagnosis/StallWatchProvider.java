// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.internal.launch.JobWatcher;
import java.time.Duration;

/// Lets launchers watch for deadlocks; they find it as a service.
@SuppressWarnings("exports") // a service of the launcher
public final class StallWatchProvider implements JobWatcher.Provider {
    /// Made by the service loader.
    public StallWatchProvider() {}

    @Override
    public JobWatcher watch(Duration stall) {
        return new StallWatch(stall);
    }
}
