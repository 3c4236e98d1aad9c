// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Context;
import coterie.ContextOption;
import coterie.PeFailedException;
import coterie.World;
import coterie.spi.FaceSupport;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the failures that end waits for words, as core's own waits do: a failure ends each wait that is under
/// way, or else the next one; later waits may go on among the living. Only the thread that runs the hook uses it.
final class FailureWatch {
    /// Between looks for the end of all other PEs, which no load tells.
    private static final long LOOK_NANOS = 10_000_000;

    private final World world;

    /// A context without operations: its quiet does nothing but throw each failure once.
    private final Context probe;

    private long now;
    private long lookedAt;

    /// What the probe has thrown last, and how many failed PEs the waits have reported.
    private @Nullable PeFailedException failure;

    private int reported;

    /// Whether the program has got the failure of a PE from a stream.
    private volatile boolean isTold;

    /// If all others have ended: their numbers.
    private @Nullable List<Integer> ended;

    FailureWatch(World world) {
        this.world = world;
        this.probe = world.team().createContext(ContextOption.SERIALIZED, ContextOption.NOSTORE);
        this.now = FaceSupport.of(world).nanoTime();
        this.lookedAt = now;
    }

    /// Sets the time.
    void tick(long nanos) {
        now = nanos;
    }

    /// Looks whether all others have ended.
    private void look() {
        lookedAt = now;
        int[] failed = world.failedPes();
        int[] stopped = world.stoppedPes();
        boolean isAlone = world.size() > 1 && failed.length + stopped.length == world.size() - 1;
        ended = isAlone
                ? Arrays.stream(stopped.length > 0 ? stopped : failed).boxed().toList()
                : null;
    }

    /// Throws if a wait, whose comparison does not hold, can't end well or should not go on unaware.
    void check(StreamOperation wait) {
        if (wait.known == 0) {
            wait.known = reported + 1L;
        }
        try {
            probe.quietNbi();
        } catch (PeFailedException e) {
            failure = e;
        }
        PeFailedException latest = failure;
        if (latest != null && latest.failedPes().size() >= wait.known) {
            reported = latest.failedPes().size();
            throw exception(wait, "PEs " + latest.failedPes() + " have failed", latest.failedPes());
        }
        if (now - lookedAt >= LOOK_NANOS) {
            look();
        }
        if (ended != null) {
            throw exception(wait, "all other PEs have ended", ended);
        }
    }

    private PeFailedException exception(StreamOperation wait, String why, List<Integer> pes) {
        return new PeFailedException(wait + " in a stream of PE " + world.pe() + ": " + why, pes);
    }

    /// Notes that an operation of a stream has failed because PEs have.
    void noteTold() {
        isTold = true;
    }

    /// Lets a context, which has no operations yet, not tell of failures that the program knows: each stream would
    /// fail at its first quiet, and none could go on.
    void forget(Context context) {
        if (isTold) {
            try {
                context.quietNbi();
            } catch (PeFailedException e) {
                failure = e;
            }
        }
    }

    /// Ends the probe. No hook runs any more.
    void close() {
        probe.close();
    }
}
