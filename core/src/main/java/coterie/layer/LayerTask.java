// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A member's part in a collective that a layer executes itself. Answers to `ucc_coll_task_t`.
///
/// The runtime posts a task after all members have posted the same collective. From then on the layer owns the
/// buffers, until the task is complete: this member's target is complete, and no member will read its source any
/// more.
///
/// The runtime handles failures: a member that fails, waits too long, or calls another collective ends the task on
/// all members.
public non-sealed interface LayerTask extends LayerWork, AutoCloseable {

    /// Begins a run, without waiting. The runtime posts a persistent request again after its last run is complete.
    ///
    /// Several tasks of a team may be under way at once, in any order; the number identifies a run. Requests
    /// have even numbers, blocking calls odd ones. The runtime keeps the tasks of blocking calls, and posts a
    /// task again for a later call with the same arguments.
    ///
    /// @param number of the run in the team: the same on all members, and unique
    /// @throws RuntimeException to end the run, on all members
    void post(long number);

    /// Advances the run without waiting, and returns whether it is complete.
    ///
    /// @throws RuntimeException to end the run, on all members
    boolean progress();

    /// Tells the layer that the run has failed. After this call the task does not touch its buffers.
    ///
    /// @param why the exception that ended the run, on this member or another
    default void stop(RuntimeException why) {}

    /// Releases everything. The runtime calls it when no run is under way.
    @Override
    default void close() {}
}
