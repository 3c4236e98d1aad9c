// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.spi.PeJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Joins the job of a step of Slurm (`srun`) by the variables that `srun` sets. PE 0 has the coordinator, and
/// writes the job key to a file of mode 0600 in a folder that all nodes share; the other PEs read it there. PE 0
/// removes the file when all have joined.
public final class SlurmBootstrap extends ClusterBootstrap {
    private static final String NUMBER = "SLURM_PROCID";
    private static final String SIZE = "SLURM_STEP_NUM_TASKS";
    private static final String NODES = "SLURM_STEP_NUM_NODES";
    private static final String JOB = "SLURM_JOB_ID";
    private static final String STEP = "SLURM_STEP_ID";
    private static final String RESTART = "SLURM_RESTART_COUNT";
    private static final String TASKS_OF_NODE = "SLURM_STEP_TASKS_PER_NODE";

    private static final Duration POLL_PAUSE = Duration.ofMillis(50);

    private final Map<String, String> environment;
    private final JobClock clock;

    /// For the service loader.
    public SlurmBootstrap() {
        this(System.getenv(), JobClock.SYSTEM);
    }

    SlurmBootstrap(Map<String, String> environment, JobClock clock) {
        super("slurm");
        this.environment = environment;
        this.clock = clock;
    }

    /// The shell of a batch job has a number, and no step: `srun` in it starts the processes of a job.
    @Override
    public Optional<String> refusal() {
        for (String variable : new String[] {NUMBER, SIZE, JOB, STEP}) {
            if (!environment.getOrDefault(variable, "").matches("[0-9]{1,9}")) {
                return Optional.of("the environment variable " + variable
                        + " is not set to a number, so that srun has not started this process");
            }
        }
        return Optional.empty();
    }

    private int number(String variable, int byDefault) {
        String text = environment.getOrDefault(variable, "");
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : byDefault;
    }

    @Override
    public PeJob join() {
        int pe = number(NUMBER, 0);
        int size = number(SIZE, 1);
        HostingPe.checkListen(context(), number(NODES, 1));
        Path file = keyFile();
        // Such as "2(x3),1": the first count, an upper limit for most layouts, only sets a default.
        String perNode = environment.getOrDefault(TASKS_OF_NODE, "").replaceFirst("[^0-9].*", "");
        int pesOfNode = perNode.matches("[0-9]{1,9}") ? Math.max(1, Integer.parseInt(perNode)) : size;
        return pe == 0
                ? host(file, size, pesOfNode)
                : HostingPe.join(context(), await(file), pe, size, pesOfNode, null, clock);
    }

    private PeJob host(Path file, int size, int pesOfNode) {
        JobCoordinator coordinator = HostingPe.open(context(), size);
        try {
            coordinator.key().write(file);
            try {
                return HostingPe.join(context(), coordinator.key(), 0, size, pesOfNode, coordinator, clock);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            coordinator.close();
            throw new CoterieException(
                    "join: can't write the job key to " + file + "; set COTERIE_KEY_FOLDER to a folder that all nodes"
                            + " share: " + e,
                    e);
        }
    }

    /// Returns the file of the key, which no other step and no restart of this job has.
    private Path keyFile() {
        String folder = context().setting("KEY_FOLDER");
        if (folder.isEmpty()) {
            folder = environment.getOrDefault("SLURM_SUBMIT_DIR", environment.getOrDefault("HOME", "."));
        }
        return Path.of(folder)
                .toAbsolutePath()
                .resolve(".coterie-" + environment.get(JOB) + "-" + environment.get(STEP) + "-" + number(RESTART, 0)
                        + ".key");
    }

    /// Waits until PE 0 has written the key: another host tells it by a file alone.
    private JobKey await(Path file) {
        long start = clock.nanoTime();
        long timeout = ClusterSettings.joinTimeout(context()).toNanos();
        try {
            while (true) {
                try {
                    return JobKey.read(file);
                } catch (NoSuchFileException e) {
                    if (clock.nanoTime() - start > timeout) {
                        throw new CoterieException(
                                "join: PE 0 has not written the job key to " + file + " within "
                                        + ClusterSettings.joinTimeout(context()).toSeconds()
                                        + " s; set COTERIE_KEY_FOLDER to a folder that all nodes share",
                                e);
                    }
                    clock.sleep(POLL_PAUSE);
                }
            }
        } catch (IOException e) {
            throw new CoterieException("join: can't read the job key " + file + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CoterieException("join: interrupted while waiting for the job key " + file, e);
        }
    }
}
