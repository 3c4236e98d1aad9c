// SPDX-License-Identifier: Apache-2.0
package coterie;

/// How the threads of a PE may use its world; see [World#join(ThreadLevel)]. Each level allows what those before
/// it do.
///
/// At SINGLE and FUNNELED the default context and all teams belong to the thread that joined, and refuse others.
public enum ThreadLevel {
    /// The PE has one thread. Answers to `SHMEM_THREAD_SINGLE`.
    SINGLE,
    /// Only the thread that joined uses the world. Answers to `SHMEM_THREAD_FUNNELED`.
    FUNNELED,
    /// All threads use it, one at a time. Answers to `SHMEM_THREAD_SERIALIZED`.
    SERIALIZED,
    /// All threads use it at once; a team's collectives still one at a time. Answers to `SHMEM_THREAD_MULTIPLE`.
    MULTIPLE
}
