// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A member's part in a collective that a layer moves on by itself. Answers to `ucc_coll_task_t`.
///
/// When it is posted, all members have posted the same collective, and the buffers are the layer's until it is
/// over. It is over when this member's target is complete, and nobody will read its source.
///
/// The runtime looks after the rest: a member that fails, waits too long, or has called something else ends the
/// task on all members.
public non-sealed interface LayerTask extends LayerWork, AutoCloseable {

    /// Begins a run, without waiting. That of a persistent request is posted again when the run before it is over.
    ///
    /// Several of a team may be under way at once, in any order; the number tells what belongs together. Requests
    /// have even ones, blocking calls odd ones.
    ///
    /// @param number of the run in the team: the same on all members, and no other's
    /// @throws RuntimeException to end it, on all members
    void post(long number);

    /// Goes on as far as it can without waiting, and says whether it is over.
    ///
    /// @throws RuntimeException to end it, on all members
    boolean progress();

    /// The run has come to a bad end; from now on it does not touch its buffers.
    ///
    /// @param why what ended it, here or elsewhere
    default void stop(RuntimeException why) {}

    /// Lets go of all, when no run is under way.
    @Override
    default void close() {}
}
