// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.spi.BootstrapContext;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A job whose PE 0 has the coordinator, for launchers that start processes and leave the rest to them. The
/// process of PE 0 ends last: its shutdown waits until the other PEs need the coordinator no more.
final class HostingPe {
    /// Time for the other PEs to learn that PE 0 has failed, before its process ends and the coordinator with it.
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    /// Longer than any job runs.
    private static final Duration FOREVER = Duration.ofDays(365);

    private HostingPe() {}

    /// Refuses a loopback address where PEs of other nodes must reach this one. Each PE checks it before it waits for
    /// PE 0, so that all end at once with the reason.
    ///
    /// @param nodes number of nodes of the job, as far as the launcher tells
    static void checkListen(BootstrapContext context, int nodes) {
        InetAddress listen = ClusterSettings.listen(context);
        if (nodes > 1 && listen.isLoopbackAddress()) {
            throw new CoterieException("join: the job has PEs on " + nodes
                    + " nodes, and the setting LISTEN (COTERIE_LISTEN) names the loopback address "
                    + listen.getHostAddress()
                    + "; set it to a network that connects the nodes, such as 10.1.0.0/16, or to an interface");
        }
    }

    /// Makes the coordinator, in the process of PE 0, at any port and with a new secret.
    static JobCoordinator open(BootstrapContext context, int size) {
        return open(context, size, ClusterSettings.listen(context), 0, JobKey.newSecret(), JobClock.SYSTEM);
    }

    /// Makes the coordinator, in the process of PE 0.
    ///
    /// @param port 0 for any
    static JobCoordinator open(
            BootstrapContext context, int size, InetAddress listen, int port, byte[] secret, JobClock clock) {
        return JobCoordinator.open(
                new JobCoordinator.Options(
                        size,
                        listen,
                        listen.getHostAddress(),
                        0,
                        ClusterSettings.silence(context),
                        ClusterSettings.joinTimeout(context),
                        false,
                        true),
                new JobCoordinator.Listener() {},
                context.encryption(),
                clock,
                port,
                secret);
    }

    /// Joins a job as one of its PEs.
    ///
    /// @param size number of PEs, as the launcher tells it to this process
    /// @param coordinator of this process, or null on other PEs than PE 0
    static PeJob join(
            BootstrapContext context,
            JobKey key,
            int pe,
            int size,
            int pesOfNode,
            @Nullable JobCoordinator coordinator,
            JobClock clock) {
        boolean isJoined = false;
        try {
            PeJob job = ClusterJob.join(
                    key,
                    context.encryption(),
                    "PE 0, which has the coordinator,",
                    pe,
                    size,
                    ProcessPlace.here(context),
                    context.defaultHeapBytes(pesOfNode),
                    ClusterSettings.joinTimeout(context),
                    true,
                    StandbyPlace.isOf(pe) ? HostingPe::host : null,
                    clock);
            if (coordinator != null) {
                host(coordinator, job);
            }
            isJoined = true;
            return job;
        } finally {
            if (!isJoined && coordinator != null) {
                coordinator.close();
            }
        }
    }

    /// This process ends last: it has the coordinator now.
    private static void host(JobCoordinator coordinator, PeJob job) {
        try {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> endLast(coordinator, job), "coterie-coordinator-end"));
        } catch (IllegalStateException e) {
            coordinator.close(); // the JVM ends already: the next PE takes over
        }
    }

    private static void endLast(JobCoordinator coordinator, PeJob job) {
        boolean isGood =
                job.state(job.pe()) != PeState.RUNNING && job.abortCode().isEmpty();
        try {
            if (!isGood) {
                coordinator.failed(job.pe(), "its process, which has the coordinator, ended inside a world");
            }
            coordinator.awaitOthers(job.pe(), isGood ? FOREVER : LAST_WORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            coordinator.close();
        }
    }
}
