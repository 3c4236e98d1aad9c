// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;
import java.time.Duration;

/// A coarray of events: counts that any image posts to and their own image waits for.
///
/// What an image has put before a post is visible to the image that has waited for it. [#count] orders nothing.
/// Only posts and waits change counts: the copies of [Coarray] throw [UnsupportedOperationException].
///
/// Threads: several threads of an image may post at a time, and one may wait for an event.
/// @counterpart `event_type`
public final class EventCoarray extends Coarray {
    private final IntegerView view;
    private final CountWait wait;

    EventCoarray(Placement placement, IntegerView view) {
        super(placement, view, 1);
        this.view = view;
        ImageTeam team = placement.block().team();
        this.wait =
                new CountWait("event wait", team, view.writtenBy(team.roster().me()));
    }

    @Override
    boolean isData() {
        return false;
    }

    @Override
    EventCoarray placed(Placement placement) {
        return new EventCoarray(placement, view);
    }

    @Override
    public EventCoarray in(ImageTeam team) {
        return (EventCoarray) super.in(team);
    }

    @Override
    public EventCoarray in(Sibling sibling) {
        return (EventCoarray) super.in(sibling);
    }

    /// Adds 1 to an image's event, after all that the caller has put.
    /// @counterpart `event post`, `prif_event_post`
    /// @throws ImageStoppedException if the image had stopped before; nothing is posted then
    /// @throws ImageFailedException if the image has failed
    public void post(long index, int image) {
        Outcome outcome = tryPost(index, image);
        if (!outcome.isOk()) {
            throw StatementException.of(
                    "event post to event " + index + " of " + this + ", images of " + where(), outcome);
        }
    }

    /// Posts as [#post], and returns Stopped or Failed if the image is.
    /// @counterpart `event post(stat=)`
    public Outcome tryPost(long index, int image) {
        int member = target("event post", index, image);
        ImageTeam team = block.team();
        ImageRuntime runtime = team.runtime();
        int pe = team.roster().pes()[member];
        if (runtime.hasStopped(pe)) { // not asked afterwards: it may have had the post, and stopped since
            return new Outcome.Stopped(ImageSet.of(image));
        }
        runtime.complete();
        view.add(index, 1, member);
        return runtime.hasFailed(pe) ? new Outcome.Failed(ImageSet.of(image)) : Outcome.Ok.DONE;
    }

    /// Waits for one post: same as `await(index, 1)`.
    public void await(long index) {
        await(index, 1);
    }

    /// Waits until the caller's own event has `untilCount` posts, and subtracts them. A failure of an image does
    /// not end the wait, as in Fortran; [#tryAwait] does.
    /// @counterpart `event wait`, `prif_event_wait`
    /// @param untilCount 1 if it is less
    /// @throws TeamAbandonedException if an image has left this coarray's team, or the current one, by an
    ///     exception and the posts are too few
    public void await(long index, long untilCount) {
        long threshold = Math.max(1, untilCount);
        wait.await(own("event wait", index), threshold);
        take(index, threshold);
    }

    /// Waits as [#await(long, long)], but no longer than `timeout`, and no longer than one of the posters can
    /// still post. Only the thread that runs the image calls it. Fortran has neither.
    ///
    /// @param timeout positive
    /// @param posters images of the current team that may post; empty for any, whose failures do not end the wait
    /// @return Ok, TimedOut, or Stopped, Failed or Abandoned if all posters are and the posts are too few
    public Outcome tryAwait(long index, long untilCount, Duration timeout, ImageSet posters) {
        long threshold = Math.max(1, untilCount);
        Outcome outcome = wait.tryAwait(own("event wait", index), threshold, timeout, posters);
        if (outcome.isOk()) {
            take(index, threshold);
        }
        return outcome;
    }

    private void take(long index, long threshold) {
        view.getAndAdd(index, -threshold, block.team().roster().me());
    }

    /// Returns the count of the caller's own event.
    /// @counterpart `event_query`, `prif_event_query`
    public long count(long index) {
        return view.getAcquire(own("event query", index), block.team().roster().me());
    }
}
