// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.cluster.JobCoordinator;
import coterie.internal.launch.JobService;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The coordinator of a job on several hosts, in the launcher.
final class CoordinatorService implements JobService {
    private final JobCoordinator.Options options;
    private @Nullable JobCoordinator coordinator;

    CoordinatorService(JobCoordinator.Options options) {
        this.options = options;
    }

    @Override
    public synchronized String open(Events events) {
        JobCoordinator opened = JobCoordinator.open(options, new JobCoordinator.Listener() {
            @Override
            public void changed(int pe, PeState state) {
                events.entered(pe, state);
            }

            @Override
            public void ended(int pe, PeState state, int exitCode, String reason) {
                if (exitCode == PeJob.UNKNOWN_EXIT_CODE) {
                    events.failed(pe, reason);
                }
            }

            @Override
            public void aborted(int exitCode) {
                events.aborted(exitCode);
            }
        });
        coordinator = opened;
        return opened.key().text();
    }

    @Override
    public int silenceMillis() {
        return (int) Math.min(Integer.MAX_VALUE, options.silence().toMillis());
    }

    @Override
    public void exited(int pe, int exitCode) throws InterruptedException {
        opened().exited(pe, exitCode);
    }

    private synchronized JobCoordinator opened() {
        return Objects.requireNonNull(coordinator, "the job opens its service before it starts PEs");
    }

    @Override
    public synchronized void close() {
        if (coordinator != null) {
            coordinator.close();
        }
    }
}
