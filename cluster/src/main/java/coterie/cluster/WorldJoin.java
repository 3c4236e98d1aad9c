// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.ThreadLevel;
import coterie.World;
import coterie.spi.BootstrapContext;
import coterie.spi.HostedPe;
import coterie.spi.PeJob;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// Joins a job by its key, from any thread of a program that runs for longer than the job and has not been started
/// for it: an executor of Spark, an application server, a test. The thread is a PE of the job until the world
/// closes.
///
/// ```java
/// long sum = WorldJoin.by(key).pe(3).call(world -> world.team().sum(value));
/// ```
///
/// A process may have any number of such PEs, of one job or of several, one after another and side by side. It
/// never ends for a job: an abort, a failed PE or a lost coordinator are exceptions of the calls that wait. The
/// close leaves no thread, connection, file, signal handler or shutdown hook.
///
/// Immutable.
public final class WorldJoin {
    private final JobKey key;
    private final int pe;
    private final ThreadLevel level;
    private final Map<String, String> settings;

    private WorldJoin(JobKey key, int pe, ThreadLevel level, Map<String, String> settings) {
        this.key = key;
        this.pe = pe;
        this.level = level;
        this.settings = settings;
    }

    /// What a PE does in its world.
    ///
    /// @param <T> its result
    /// @param <X> what it throws
    @FunctionalInterface
    public interface WorldTask<T, X extends Exception> {
        /// Returns the result.
        T call(World world) throws X;
    }

    /// Returns a join as any PE of a job: the coordinator takes a free number. Join all PEs of a job so, or none.
    public static WorldJoin by(JobKey key) {
        Objects.requireNonNull(key, "WorldJoin.by: key is null");
        return new WorldJoin(key, PeerSocket.NO_PE, ThreadLevel.MULTIPLE, Map.of());
    }

    /// Returns a join as a PE.
    ///
    /// @param number at least 0; the join fails if the job has not so many PEs, or the number is taken
    public WorldJoin pe(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("WorldJoin.pe: " + number + " is negative; PEs are numbered from 0");
        }
        return new WorldJoin(key, number, level, settings);
    }

    /// Returns a join with another level of threads than [ThreadLevel#MULTIPLE].
    public WorldJoin threadLevel(ThreadLevel level) {
        Objects.requireNonNull(level, "WorldJoin.threadLevel: level is null");
        return new WorldJoin(key, pe, level, settings);
    }

    /// Returns a join with a setting of its own, which comes before those of the process. All PEs of the job give
    /// those alike that say how PEs work together, as they do by the environment.
    ///
    /// @param setting in upper case and without prefix, such as "CONDUIT"; `coterie info --config` lists them
    public WorldJoin with(String setting, String value) {
        Objects.requireNonNull(setting, "WorldJoin.with: setting is null");
        Objects.requireNonNull(value, "WorldJoin.with: value is null");
        Map<String, String> more = new TreeMap<>(settings);
        more.put(setting, value);
        return new WorldJoin(key, pe, level, Map.copyOf(more));
    }

    /// Joins, runs a task in the world, and closes the world. If the task throws, the PE has failed: the other PEs
    /// get a [coterie.PeFailedException], and this call throws what the task has thrown.
    ///
    /// @throws X that the task throws
    /// @throws coterie.CoterieException as [#join], and as [World#close]
    public <T, X extends Exception> T call(WorldTask<T, X> task) throws X {
        Objects.requireNonNull(task, "WorldJoin.call: task is null");
        return callIn(open(), task);
    }

    /// Runs a task in the world of a PE that [#open] has returned, and closes it, as [#call] does.
    ///
    /// @throws X that the task throws
    /// @throws coterie.CoterieException as [World#close]
    public static <T, X extends Exception> T callIn(HostedPe pe, WorldTask<T, X> task) throws X {
        Objects.requireNonNull(pe, "WorldJoin.callIn: pe is null");
        Objects.requireNonNull(task, "WorldJoin.callIn: task is null");
        T result;
        try {
            result = task.call(pe.world());
        } catch (Throwable e) {
            try {
                pe.fail("its task threw " + firstLine(e));
            } catch (RuntimeException late) {
                e.addSuppressed(late);
            }
            throw e;
        }
        pe.close();
        return result;
    }

    /// The PE fails also after an exception that can't be printed.
    private static String firstLine(Throwable thrown) {
        try {
            return thrown.toString().lines().findFirst().orElse("");
        } catch (RuntimeException | Error unprintable) {
            return thrown.getClass().getName();
        }
    }

    /// Joins, for a world whose close is elsewhere than its join. Waits until all PEs of the job have joined.
    ///
    /// [World#join] in this thread, and in no other, joins the same world once more. If this thread ends before
    /// the world has closed, the PE has failed. The close is collective, so that [#call] is the better form where
    /// a body may throw. An interrupt ends the join, and no operation of the world.
    ///
    /// @throws IllegalArgumentException if there is no setting of a name, or a value is not allowed
    /// @throws coterie.PeFailedException if a PE ends before all have joined
    /// @throws coterie.CoterieException if the coordinator can't be reached or refuses this PE, or an interrupt
    ///     ends the join
    public World join() {
        return open().world();
    }

    /// Joins as [#join], for a host program that may have to end the PE from another thread: [HostedPe#fail] then
    /// ends what its thread waits for.
    ///
    /// @throws IllegalArgumentException as [#join]
    /// @throws coterie.CoterieException as [#join]
    public HostedPe open() {
        return HostedPe.join(new ByKey(), settings, level);
    }

    /// Joins the job of the key as a PE of a host program.
    private final class ByKey extends ClusterBootstrap {
        ByKey() {
            super("key");
        }

        @Override
        public Optional<String> refusal() {
            return Optional.empty();
        }

        @Override
        public PeJob join() {
            BootstrapContext given = context();
            return ClusterJob.join(
                    key,
                    given.encryption(),
                    "the coordinator",
                    pe,
                    JobFrame.ANY_SIZE,
                    ProcessPlace.here(given),
                    given.defaultHeapBytes(1),
                    ClusterSettings.joinTimeout(given),
                    false,
                    null,
                    JobClock.SYSTEM);
        }
    }

    /// Returns the join without the secret of its key.
    @Override
    public String toString() {
        return "join by the " + key + (pe < 0 ? "" : " as PE " + pe) + (settings.isEmpty() ? "" : " with " + settings);
    }
}
