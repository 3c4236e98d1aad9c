// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;

/// A lock that one PE of the world holds at a time, in the order in which PEs call it.
///
/// It takes one 64-bit word of symmetric memory, which must be 0 on every PE at first, and which only the lock may
/// use. Its *home*, a PE that follows from the lock's index, holds the queue of the waiters, so many locks spread
/// over all PEs. Each waiter polls only its own memory; without contention a lock and unlock are two atomics on
/// the home.
///
/// A PE holds the lock, not a thread, and not twice. If a PE fails as holder or waiter, all PEs after it in the
/// queue, and all that call later, get a [PeFailedException].
public interface SymmetricLock {

    /// 64-bit words that a lock takes on each PE: the distance of neighbouring locks in an array.
    long LONGS = 1;

    /// Bytes that a lock takes on each PE.
    long BYTES = LONGS * Long.BYTES;

    /// Waits until all PEs that called before have released the lock, and acquires it. Answers to
    /// `shmem_set_lock`.
    ///
    /// @throws IllegalStateException if this PE holds it already, or another thread of this PE waits for it
    /// @throws PeFailedException if the holder or an earlier waiter has failed; the message has its number
    void lock();

    /// Acquires the lock like [#lock()], but waits no longer than `timeout`. A PE that times out loses its place
    /// in the queue, unless it calls again before its turn.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if its turn did not come within `timeout`; the message has the holder
    void lock(Duration timeout);

    /// Acquires the lock if no PE holds it or waits for it, and returns whether it did. Never waits. Answers to
    /// `shmem_test_lock`.
    ///
    /// @throws IllegalStateException if this PE holds it already
    /// @throws PeFailedException if the holder or a waiter has failed
    boolean tryLock();

    /// Completes what the caller has put through the default context, so that the next holder sees it, and
    /// releases the lock. Answers to `shmem_clear_lock`.
    ///
    /// @throws IllegalStateException if this PE does not hold it; the message has the holder
    void unlock();
}
