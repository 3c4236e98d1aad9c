// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.WaitTimeoutException;
import coterie.World;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Waits of an image for a count of its own, of an event or a notification. Any thread may wait.
///
/// No word of this image's memory says that another image has left the team, so a wait looks for that from time to
/// time.
final class CountWait {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    private final String operation;
    private final ImageTeam team;
    private final IntegerView own;

    /// @param team that has allocated the count
    CountWait(String operation, ImageTeam team, IntegerView own) {
        this.operation = operation;
        this.team = team;
        this.own = own;
    }

    /// Waits until a count is at least a threshold.
    ///
    /// @return a count that it had
    /// @throws TeamAbandonedException if an image has left the team by an exception, and the count is less
    long await(long index, long threshold) {
        while (!waitShortly(index, threshold, BETWEEN_LOOKS)) {
            ImageTeam current = Images.CURRENT.isBound() ? Images.CURRENT.get().team() : team;
            Outcome abandoned = abandoned(current);
            if (abandoned != null && !own.test(index, Comparison.GE, threshold)) {
                throw StatementException.of(operation + " in " + team.path(), abandoned);
            }
        }
        return own.get(index);
    }

    private boolean waitShortly(long index, long threshold, Duration limit) {
        try {
            own.waitUntil(index, Comparison.GE, threshold, limit);
            return true;
        } catch (WaitTimeoutException e) {
            return false;
        }
    }

    /// Waits until a count is at least a threshold, the time limit is over, or no image can add to it any more.
    ///
    /// @param posters images of the current team that may add; empty for any
    Outcome tryAwait(long index, long threshold, Duration timeout, ImageSet posters) {
        StatementChecks.notNull(timeout, operation, "timeout");
        StatementChecks.notNull(posters, operation, "posters");
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    StatementChecks.prefix(operation) + "the time limit is " + timeout + "; allowed are 1 ns and more");
        }
        ImageTeam current = ImageTeam.current();
        posters.stream().forEach(image -> current.pe(operation, image));
        long limit = TimeUnit.NANOSECONDS.convert(timeout); // or the greatest number
        World world = team.runtime().world();
        long start = world.nanoTime();
        while (true) {
            Outcome over = over(current, posters); // read before the count, which counts if it is there
            if (own.test(index, Comparison.GE, threshold)) {
                return Outcome.Ok.DONE;
            }
            long left = limit - (world.nanoTime() - start);
            if (over != null || left <= 0) {
                return over == null ? new Outcome.TimedOut() : over;
            }
            Duration now = Duration.ofNanos(Math.min(left, BETWEEN_LOOKS.toNanos()));
            if (waitShortly(index, threshold, now)) {
                return Outcome.Ok.DONE;
            }
        }
    }

    /// Returns why no poster adds to the count any more, or null.
    private @Nullable Outcome over(ImageTeam current, ImageSet posters) {
        Outcome abandoned = abandoned(current);
        if (posters.isEmpty()) {
            return abandoned;
        }
        boolean anyStopped = false;
        boolean anyFailed = false;
        for (int image : posters.toArray()) {
            ImageStatus status = current.status(image);
            anyStopped |= status == ImageStatus.STOPPED;
            anyFailed |= status == ImageStatus.FAILED;
            if (status == ImageStatus.ACTIVE
                    && (abandoned == null || !hasLeft(current.pe(operation, image), current))) {
                return null;
            }
        }
        return anyStopped
                ? new Outcome.Stopped(current.stoppedImages())
                : anyFailed ? new Outcome.Failed(current.failedImages()) : abandoned;
    }

    private @Nullable Outcome abandoned(ImageTeam current) {
        Outcome abandoned = team.statements().agreement().abandoned();
        return abandoned == null && current != team
                ? current.statements().agreement().abandoned()
                : abandoned;
    }

    private boolean hasLeft(int pe, ImageTeam current) {
        return team.statements().agreement().hasLeft(pe)
                || current.statements().agreement().hasLeft(pe);
    }
}
