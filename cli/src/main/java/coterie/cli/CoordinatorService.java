// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.cluster.JobCoordinator;
import coterie.internal.launch.JobService;
import coterie.spi.Encryption;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The coordinator of a job on several hosts, in the launcher.
final class CoordinatorService implements JobService {
    private final JobCoordinator.Options options;
    private final Encryption encryption;
    private final Duration join;
    private @Nullable JobCoordinator coordinator;

    /// @param join how long it may take until the agent of a host sends its first bytes
    CoordinatorService(JobCoordinator.Options options, Encryption encryption, Duration join) {
        this.options = options;
        this.encryption = encryption;
        this.join = join;
    }

    @Override
    public synchronized String open(Events events) {
        JobCoordinator opened = JobCoordinator.open(
                options,
                new JobCoordinator.Listener() {
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
                    public void aborted(int pe, int exitCode) {
                        events.aborted(pe, exitCode);
                    }
                },
                encryption);
        coordinator = opened;
        return opened.key().text();
    }

    @Override
    public int silenceMillis() {
        return millis(options.silence());
    }

    @Override
    public int joinMillis() {
        return millis(join);
    }

    private static int millis(Duration time) {
        return (int) Math.min(Integer.MAX_VALUE, time.toMillis());
    }

    @Override
    public void failed(int pe, String why) {
        opened().failed(pe, why);
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
