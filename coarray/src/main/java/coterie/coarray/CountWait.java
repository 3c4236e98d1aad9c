// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.WaitTimeoutException;
import coterie.spi.DescribedWait;
import coterie.spi.FaceSupport;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Waits of an image for a count of its own, of an event or a notification. Any thread may wait.
final class CountWait {
    private final String operation;
    private final ImageTeam team;
    private final IntegerView own;

    /// Whether looks at the boards of all images of the team are cheap.
    private final boolean isNear;

    /// A wait that is over, for the next one: waits make no garbage.
    private final AtomicReference<@Nullable Wait> spare = new AtomicReference<>();

    /// @param team that has allocated the count
    CountWait(String operation, ImageTeam team, IntegerView own) {
        this.operation = operation;
        this.team = team;
        this.own = own;
        this.isNear = Arrays.stream(team.roster().pes())
                .allMatch(team.runtime().world().context()::isDirect);
    }

    /// Waits until a count is at least a threshold.
    ///
    /// @return a count that it had
    /// @throws TeamAbandonedException if an image has left the team by an exception, and the count is less
    long await(long index, long threshold) {
        ImageTeam current = Images.CURRENT.isBound() ? Images.CURRENT.get().team() : team;
        Outcome outcome = await(index, threshold, ChronoUnit.FOREVER.getDuration(), current, ImageSet.EMPTY);
        if (!(outcome instanceof Outcome.Ok)) {
            throw StatementException.of(operation + " in " + team.path(), outcome);
        }
        return own.get(index);
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
        try {
            return await(index, threshold, timeout, current, posters);
        } catch (WaitTimeoutException e) {
            return new Outcome.TimedOut();
        }
    }

    private Outcome await(long index, long threshold, Duration timeout, ImageTeam current, ImageSet posters) {
        Wait wait = spare.getAndSet(null);
        if (wait == null) {
            wait = new Wait();
        }
        wait.begin(index, threshold, current, posters);
        team.runtime().support().await(wait, timeout);
        Outcome outcome = wait.isThere ? Outcome.Ok.DONE : Objects.requireNonNull(wait.over, operation);
        spare.set(wait);
        return outcome;
    }

    /// One wait: for the count, or for the news that nothing adds to it any more.
    private final class Wait implements DescribedWait {
        /// Where the boards of other images are far: each look asks all of them.
        private static final long BETWEEN_LOOKS_NANOS = 10_000_000;

        private final FaceSupport support = team.runtime().support();
        private long lookedAt;
        private long index;
        private long threshold;
        private ImageTeam current = team;
        private ImageSet posters = ImageSet.EMPTY;

        /// Whether the count is there.
        private boolean isThere;

        /// Why it will not come, or null.
        private @Nullable Outcome over;

        void begin(long element, long count, ImageTeam statementTeam, ImageSet mayPost) {
            index = element;
            threshold = count;
            current = statementTeam;
            posters = mayPost;
            isThere = false;
            over = null;
            lookedAt = support.nanoTime();
        }

        @Override
        public boolean isOver() {
            if (own.test(index, Comparison.GE, threshold)) {
                isThere = true;
                return true;
            }
            long now = support.nanoTime();
            if (!isNear && now - lookedAt < BETWEEN_LOOKS_NANOS) {
                return false;
            }
            lookedAt = now;
            over = CountWait.this.over(current, posters);
            isThere = own.test(index, Comparison.GE, threshold); // a count that came before counts
            return isThere || over != null;
        }

        @Override
        public String text() {
            return operation + " of element " + index + ", until its count is " + threshold;
        }

        /// Any image of the team may add, whatever the program says of posters.
        @Override
        public void addAwaited(BitSet pes) {
            for (int pe : team.roster().pes()) {
                pes.set(pe);
            }
            pes.clear(team.roster().pes()[team.roster().me()]);
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
