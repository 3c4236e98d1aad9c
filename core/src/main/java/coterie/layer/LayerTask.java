// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.util.function.BooleanSupplier;

/// A member's part in a collective that a layer executes itself.
///
/// The runtime posts a task after all members have posted the same collective. From then on the layer owns the
/// buffers, until the task is complete: this member's target is complete, and no member will read its source any
/// more.
///
/// The runtime handles failures: a member that fails, waits too long, or calls another collective ends the task on
/// all members.
/// @counterpart `ucc_coll_task_t`, `ucc_tl_new_task_t`
public non-sealed interface LayerTask extends LayerWork, AutoCloseable {

    /// Begins a run, without waiting. The runtime posts a persistent request again after its last run is complete.
    ///
    /// Several tasks of a team may be under way at once, in any order; the number identifies a run. Requests
    /// have even numbers, blocking calls odd ones. The runtime keeps the tasks of blocking calls, and posts a
    /// task again for a later call with the same arguments.
    /// @counterpart `post` of a task, `ucc_tl_new_allreduce_start`
    /// @param number of the run in the team: the same on all members, and unique
    /// @throws RuntimeException to end the run, on all members
    void post(long number);

    /// Returns whether [#postWhen] starts the runs of triggered posts. If not, the runtime polls the condition and
    /// then posts the task.
    /// @counterpart `triggered_post` of a task; else the runtime does it
    default boolean takesTriggers() {
        return false;
    }

    /// Begins a run of a triggered post, in place of [#post] and under its rules, when all members have posted the
    /// same: from the time when the condition holds the task may use its buffers. The task calls the condition in
    /// [#progress] until it returns true once, or knows it by its class and waits for the event by its own means.
    ///
    /// The runtime calls it if [#takesTriggers] and the task serves the whole team, not as a part of a composition.
    /// @counterpart `triggered_post` of a task; else the runtime does it
    /// @param condition of [coterie.collective.Request#postWhen]; what it throws counts as the layer's failure
    /// @throws RuntimeException to end the run, on all members
    default void postWhen(long number, BooleanSupplier condition) {
        throw new UnsupportedOperationException("a task that takes triggers must implement postWhen");
    }

    /// Advances the run without waiting, and returns whether it is complete.
    /// @counterpart `progress` of a task, `ucc_tl_new_collective_progress`, `ucc_tl_new_allreduce_progress`
    /// @throws RuntimeException to end the run, on all members
    boolean progress();

    /// Tells the layer that the run has failed. After this call the task does not touch its buffers.
    ///
    /// @param why the exception that ended the run, on this member or another
    default void stop(RuntimeException why) {}

    /// Releases everything. The runtime calls it when no run is under way.
    /// @counterpart `finalize` of a task, `ucc_tl_new_coll_finalize`
    @Override
    default void close() {}
}
