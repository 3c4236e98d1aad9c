// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.CoterieException;
import coterie.cluster.JobCoordinator;
import coterie.cluster.JobEnd;
import coterie.spi.Encryption;
import java.net.InetAddress;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The world of one attempt of a stage, as the driver has it: the coordinator of its job, which closes when all PEs
/// have ended. Threads: any.
final class StageWorld {
    private static final Logger LOG = LoggerFactory.getLogger(StageWorld.class);

    private final WorldRequest first;
    private final JobCoordinator coordinator;
    private final WorldRequest.Answer answer;

    private StageWorld(WorldRequest first, JobCoordinator coordinator, Map<String, String> settings) {
        this.first = first;
        this.coordinator = coordinator;
        this.answer = new WorldRequest.Answer(coordinator.key(), settings);
    }

    /// Begins to listen for the PEs.
    ///
    /// @param first the request of a task, by which the world is made
    /// @param host name or address by which executors reach `listen`
    /// @param heap symmetric memory of each PE in bytes, or 0 for the default
    /// @param settings of all PEs
    /// @throws CoterieException if the address can't be listened on
    static StageWorld open(
            WorldRequest first,
            InetAddress listen,
            String host,
            Encryption encryption,
            long heap,
            Map<String, String> settings) {
        JobCoordinator coordinator = JobCoordinator.open(
                JobCoordinator.Options.of(first.size(), listen, host, settings).withHeap(heap),
                new JobCoordinator.Listener() {},
                encryption);
        StageWorld world = new StageWorld(first, coordinator, settings);
        Thread.ofVirtual().name("coterie-world of " + first.stageAttempt()).start(world::closeAtEnd);
        return world;
    }

    /// Returns what a task needs to join.
    WorldRequest.Answer answer() {
        return answer;
    }

    /// Ends the world: PEs that still run have failed.
    ///
    /// @param why one phrase
    void end(String why) {
        for (int pe = 0; pe < first.size(); pe++) {
            coordinator.failed(pe, why);
        }
    }

    private void closeAtEnd() {
        try (coordinator) {
            JobEnd end = coordinator.awaitEnd();
            if (!end.isSuccess()) {
                LOG.info("the world of {} has ended with failures: {}", first.stageAttempt(), end.pes());
            }
        } catch (CoterieException e) {
            LOG.warn("the world of {} has ended: {}", first.stageAttempt(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
