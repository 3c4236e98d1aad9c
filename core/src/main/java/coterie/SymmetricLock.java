// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;
import java.util.OptionalInt;

/// A lock that one PE of the world holds at a time, in the order in which PEs call it. Only Coterie implements it.
///
/// It takes one 64-bit word of symmetric memory, which must be 0 on every PE at first, and which only the lock may
/// use. Its *home*, a PE that follows from the lock's index, holds the queue of the waiters, so many locks spread
/// over all PEs. Each waiter polls only its own memory; without contention a lock and unlock are two atomics on
/// the home.
///
/// A PE holds the lock, not a thread, and not twice.
///
/// **Failures.** The lock passes over waiters that have failed. If a PE fails as holder, what the lock protects
/// may be inconsistent: `lock` and `tryLock` throw a [PeFailedException] until a PE has called
/// [#lockOrRecover()], which acquires the lock all the same and returns the failed PE's number. After that the
/// lock is an ordinary one again for all PEs, as a robust mutex of POSIX is after `pthread_mutex_consistent`. A
/// PE that fails in `unlock` has released the lock.
///
/// Where memory is not mapped, a PE that fails takes its part of the lock along: then each call that needs this
/// part gets a [PeFailedException], for good.
public interface SymmetricLock {

    /// 64-bit words that a lock takes on each PE: the distance of neighbouring locks in an array.
    long LONGS = 1;

    /// Bytes that a lock takes on each PE.
    long BYTES = LONGS * Long.BYTES;

    /// Waits until all PEs that called before have released the lock, and acquires it.
    /// @counterpart `shmem_set_lock`
    /// @throws IllegalStateException if this PE holds it already, or another thread of this PE waits for it
    /// @throws PeFailedException if a holder has failed, and no PE has recovered from it; the caller has left the
    ///     queue
    void lock();

    /// Acquires the lock like [#lock()], but waits no longer than `timeout`. A PE that times out loses its place
    /// in the queue, unless it calls again before its turn.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if its turn did not come within `timeout`; the message has the holder
    void lock(Duration timeout);

    /// Acquires the lock like [#lock()], also after a holder has failed. Each failed holder is returned to one
    /// caller, which makes what the lock protects consistent before it releases the lock; if that caller fails
    /// too, the next one gets its number.
    /// @counterpart `EOWNERDEAD` with `pthread_mutex_consistent` of POSIX, `STAT_UNLOCKED_FAILED_IMAGE` of Fortran
    /// @return the number in the world of the PE that failed as the last holder, or empty if it did not
    /// @throws IllegalStateException if this PE holds it already, or another thread of this PE waits for it
    OptionalInt lockOrRecover();

    /// Acquires the lock like [#lockOrRecover()], but waits no longer than `timeout`, as [#lock(Duration)] does.
    ///
    /// @param timeout positive
    /// @return the number in the world of the PE that failed as the last holder, or empty if it did not
    /// @throws WaitTimeoutException if its turn did not come within `timeout`; the message has the holder
    OptionalInt lockOrRecover(Duration timeout);

    /// Acquires the lock if no PE holds it or waits for it, and returns whether it did. Never waits.
    /// @counterpart `shmem_test_lock`
    /// @throws IllegalStateException if this PE holds it already
    /// @throws PeFailedException if a holder has failed, and no PE has recovered from it
    boolean tryLock();

    /// Completes what the caller has put through the default context, so that the next holder sees it, and
    /// releases the lock.
    /// @counterpart `shmem_clear_lock`
    /// @throws IllegalStateException if this PE does not hold it; the message has the holder
    void unlock();
}
