// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.PeFailedException;
import coterie.World;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the failures that end waits for words, as core's own waits do: a failure ends each wait that is under
/// way, or else the next one; later waits may go on among the living. Only the thread that runs the hook uses it.
final class FailureWatch {
    /// A look costs two lists of PEs; a failure is found soon enough for a person or a recovery.
    private static final long LOOK_NANOS = 10_000_000;

    private final World world;
    private long lookedAt;

    /// Failed PEs, and how many of them waits have reported.
    private int[] failed = {};

    private int reported;

    /// If all others have ended: their numbers.
    private int @Nullable [] ended;

    FailureWatch(World world) {
        this.world = world;
        this.lookedAt = world.nanoTime();
    }

    /// Looks for failures now and then.
    void look(long now) {
        if (now - lookedAt < LOOK_NANOS) {
            return;
        }
        lookedAt = now;
        failed = world.failedPes();
        int[] stopped = world.stoppedPes();
        int over = failed.length + stopped.length;
        ended = over > 0 && over == world.size() - 1 ? stopped : null;
    }

    /// Throws if a wait, whose comparison does not hold, can't end well or should not go on unaware.
    void check(StreamOperation wait) {
        if (wait.known == 0) {
            wait.known = reported + 1L;
        }
        if (failed.length >= wait.known) {
            reported = failed.length;
            throw exception(wait, "PEs " + Arrays.toString(failed) + " have failed", failed);
        }
        if (ended != null) {
            throw exception(wait, "all other PEs have ended", ended.length == 0 ? failed : ended);
        }
    }

    private PeFailedException exception(StreamOperation wait, String why, int[] pes) {
        List<Integer> boxed = Arrays.stream(pes).boxed().toList();
        return new PeFailedException(wait + " in a stream of PE " + world.pe() + ": " + why, boxed);
    }
}
