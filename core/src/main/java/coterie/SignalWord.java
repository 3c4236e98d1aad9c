// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;

/// A view of one 64-bit word of symmetric memory as a signal, by which one PE notifies another. Only Coterie
/// implements it.
///
/// The word and its comparisons are unsigned: an operand of −1 is the largest number. Sets, adds and every other
/// atomic on the word are atomic with respect to each other. Before its first use the word must be 0 or set; a new
/// block is 0. [ElementView] has the rules on errors and threads.
public interface SignalWord {

    /// Returns the block that has the word.
    SymmetricMemory memory();

    /// Returns the index of the word, as [SymmetricMemory#longs] counts.
    long index();

    /// Returns the context that the operations go through.
    Context context();

    /// Returns a view of the same word through another context of the same world.
    SignalWord through(Context context);

    /// Returns a view of the same word whose waits depend on these PEs alone, see [IntegerView#writtenBy].
    SignalWord writtenBy(int... pes);

    /// Returns an update that sets the word to `value`, for [ElementView#putSignal].
    /// @counterpart `SHMEM_SIGNAL_SET` with its operand; a `coterie.SignalUpdate`
    SignalUpdate setting(long value);

    /// Returns an update that adds `value` to the word, wrapping, for [ElementView#putSignal].
    /// @counterpart `SHMEM_SIGNAL_ADD` with its operand; a `coterie.SignalUpdate`
    SignalUpdate adding(long value);

    /// Adds to a PE's word. Only a [Context#fence] orders it after earlier puts.
    /// @counterpart `shmem_signal_add`, `nvshmemx_signal_op` with ADD
    void add(long value, int pe);

    /// Sets a PE's word, ordered like [#add].
    /// @counterpart `shmem_signal_set`, `nvshmemx_signal_op` with SET
    void set(long value, int pe);

    /// Stores to the caller's own word: a plain store, as [IntegerView#set(long, long)] does. For a word that no
    /// PE updates meanwhile, such as one that the caller has waited for and uses again.
    void set(long value);

    /// Loads the caller's own word, and acquires all that was ordered before its value.
    /// @counterpart `shmem_signal_fetch`
    long fetch();

    /// Waits until the comparison of the caller's own word with `operand` holds, and returns the value for which
    /// it did, also if a later update has changed the word.
    /// @counterpart `shmem_signal_wait_until`
    /// @throws PeFailedException if a PE fails during the wait, or all others have ended
    long waitUntil(Comparison comparison, long operand);

    /// Waits like [#waitUntil(Comparison, long)], but no longer than `timeout`.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if the comparison did not hold within `timeout`
    long waitUntil(Comparison comparison, long operand, Duration timeout);
}
