// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;
import java.util.BitSet;

/// Some of my own elements, to wait for all, any or some of them. Made once by [IntegerView#waitSet], used often:
/// no call allocates.
///
/// Element `i` of the set is element `index + i` of the view. Those marked in the *skipped* bits take no part; if
/// nothing takes part the set is empty, and every call returns at once. The search for one that satisfies begins
/// behind the one reported last, so an element that stays satisfied does not hide the others.
///
/// Operands come in two forms: one for all elements, or an array of one per element of the set, skipped ones
/// included (`_vector` in C).
///
/// Waits end with [PeFailedException] if a PE fails meanwhile or all others have ended, and with
/// [WaitTimeoutException] after the set's [#timeout]. Threads: one at a time.
public interface WaitSet {

    /// How many elements, skipped ones included.
    int size();

    /// Leaves the marked elements out from now on. The bits are read at each wait and test, so they may be changed
    /// in between; none are marked at first. Answers to the `status` argument.
    ///
    /// @return this
    WaitSet skipping(BitSet skipped);

    /// Gives each wait from now on so much time; at first it is for ever.
    ///
    /// @param timeout positive
    /// @return this
    WaitSet timeout(Duration timeout);

    /// Waits until all compare as asked, each at some moment. Answers to `shmem_wait_until_all`.
    void waitAll(Comparison comparison, long operand);

    /// The same with an operand each. Answers to `shmem_wait_until_all_vector`.
    void waitAll(Comparison comparison, long[] operands);

    /// Waits until one compares as asked, and returns its number in the set, −1 if the set is empty. Answers to
    /// `shmem_wait_until_any`.
    int waitAny(Comparison comparison, long operand);

    /// The same with an operand each. Answers to `shmem_wait_until_any_vector`.
    int waitAny(Comparison comparison, long[] operands);

    /// Waits until at least one compares as asked, and returns how many do, 0 if the set is empty. Answers to
    /// `shmem_wait_until_some`.
    ///
    /// @param found gets their numbers in the set; at least `size()` long
    int waitSome(Comparison comparison, long operand, int[] found);

    /// The same with an operand each. Answers to `shmem_wait_until_some_vector`.
    int waitSome(Comparison comparison, long[] operands, int[] found);

    /// Whether all compare as asked now; true if the set is empty. Answers to `shmem_test_all`.
    boolean testAll(Comparison comparison, long operand);

    /// The same with an operand each. Answers to `shmem_test_all_vector`.
    boolean testAll(Comparison comparison, long[] operands);

    /// The number of one that compares as asked now, or −1. Answers to `shmem_test_any`.
    int testAny(Comparison comparison, long operand);

    /// The same with an operand each. Answers to `shmem_test_any_vector`.
    int testAny(Comparison comparison, long[] operands);

    /// How many compare as asked now. Answers to `shmem_test_some`.
    ///
    /// @param found gets their numbers in the set; at least `size()` long
    int testSome(Comparison comparison, long operand, int[] found);

    /// The same with an operand each. Answers to `shmem_test_some_vector`.
    int testSome(Comparison comparison, long[] operands, int[] found);
}
