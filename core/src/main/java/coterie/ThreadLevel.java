// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The ways in which threads of a PE may use its world; see [World#join(ThreadLevel)]. Each level includes those
/// before it. At SINGLE and FUNNELED the default context and all teams belong to the thread that joined, and throw
/// on other threads.
public enum ThreadLevel {
    /// The PE has one thread.
    /// @counterpart `SHMEM_THREAD_SINGLE`
    SINGLE,
    /// Only the thread that joined uses the world.
    /// @counterpart `SHMEM_THREAD_FUNNELED`
    FUNNELED,
    /// All threads use the world, one at a time.
    /// @counterpart `SHMEM_THREAD_SERIALIZED`
    SERIALIZED,
    /// All threads use the world at the same time, except for a team's collectives.
    /// @counterpart `SHMEM_THREAD_MULTIPLE`
    MULTIPLE
}
