// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;

/// A lock that one PE of the world holds at a time, first come, first served.
///
/// It lives in [#BYTES] bytes of symmetric memory that are 0 on every PE at first and that nothing else may touch.
/// A queue of those who wait is kept on its *home*, a PE that follows from where the lock lies, so many locks
/// spread over all; each waiter polls its own memory alone. An uncontended round trip is two atomics on the home.
///
/// A lock is held by the PE, not by a thread, and not twice. A PE that fails while it holds the lock or waits for
/// it takes it along: all whose turn would have come later get a [PeFailedException], whenever they come.
public interface SymmetricLock {

    /// 64-bit words that a lock takes on each PE: neighbouring locks of an array are so far apart.
    long LONGS = 2;

    /// Bytes that a lock takes on each PE.
    long BYTES = LONGS * Long.BYTES;

    /// Waits until all who came before have held it and let it go. Answers to `shmem_set_lock`.
    ///
    /// @throws IllegalStateException if this PE holds it already, or another thread of it waits for it
    /// @throws PeFailedException if the holder has failed, or one who waits before me; it names that one
    void lock();

    /// The same with a deadline. Who gives up loses its place, unless it comes again before its turn.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if it was not my turn within `timeout`; it names the holder
    void lock(Duration timeout);

    /// Takes the lock if nobody holds it or waits for it, and says whether it did. Never waits. Answers to
    /// `shmem_test_lock`.
    ///
    /// @throws IllegalStateException if this PE holds it already
    /// @throws PeFailedException if the holder has failed, or one who waits for it
    boolean tryLock();

    /// Completes what I put through the default context, and hands the lock on. Whoever holds it next sees that.
    /// Answers to `shmem_clear_lock`.
    ///
    /// @throws IllegalStateException if this PE does not hold it; it names the holder
    void unlock();
}
