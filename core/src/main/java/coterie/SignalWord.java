// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;

/// A 64-bit word of symmetric memory by which one PE tells another that something has happened.
///
/// The word is unsigned, and comparisons are: an operand of −1 is the largest number. Setting, adding and every
/// atomic on the word form one domain: they may be mixed. The word must be 0 or set before its first use; blocks
/// are allocated that way.
///
/// Errors and threads as in [ElementView].
public interface SignalWord {

    /// The block that the word is in.
    SymmetricMemory memory();

    /// Index of the word in the block's 64-bit words, as [SymmetricMemory#longs] counts them.
    long index();

    /// The same word through another context of the same world.
    SignalWord through(Context context);

    /// An update that sets the word to `value`, for [ElementView#putSignal].
    SignalUpdate setting(long value);

    /// An update that adds `value` to the word, wrapping, for [ElementView#putSignal].
    SignalUpdate adding(long value);

    /// Adds to a PE's word. What I put before is not ordered by it: that takes a [Context#fence]. Answers to
    /// `shmem_signal_add`.
    void add(long value, int pe);

    /// Sets a PE's word. Answers to `shmem_signal_set`.
    void set(long value, int pe);

    /// My own word now, and with it all that was ordered before it. Answers to `shmem_signal_fetch`.
    long fetch();

    /// Waits until my own word compares with `operand` as asked, and returns the value that did: later updates
    /// don't change it. Answers to `shmem_signal_wait_until`.
    ///
    /// @throws PeFailedException if a PE fails meanwhile, or all others have ended
    long waitUntil(Comparison comparison, long operand);

    /// The same with a deadline.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if the condition has not come to hold within `timeout`
    long waitUntil(Comparison comparison, long operand, Duration timeout);
}
