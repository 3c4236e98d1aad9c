// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;
import java.util.BitSet;

/// A set of the caller's own elements, for a common wait for all, any or some of them. [IntegerView#waitSet] makes
/// it once, [#withSkipped] and [#withTimeout] make another one of the same elements; waits and tests don't
/// allocate. Only Coterie implements it.
///
/// Element `i` of the set is element `index + i` of the view. Elements marked in the *skipped* bits take no part;
/// if no element takes part, the set is empty and every call returns immediately. Each search for an element
/// begins after the element that this set has found last, so an element for which the comparison stays true
/// does not hide the others. Nothing else of a set changes.
///
/// The operand is one for all elements, or an array with one for each element, the skipped ones included
/// (`_vector` in C). *Any* and *some* methods give numbers in the set, in `[0, size())`; the length of `found`
/// is at least `size()`. Waits throw a [PeFailedException] if a PE fails during the wait or all others have
/// ended, and a [WaitTimeoutException] after the set's timeout. Threads: one at a time.
public interface WaitSet {

    /// Returns the number of elements, the skipped ones included.
    int size();

    /// Returns a set of the same elements that excludes the marked ones; [IntegerView#waitSet] marks none. The
    /// bits stay the program's: each wait and test reads them, so the program may change them in between.
    /// @counterpart the array `status`
    WaitSet withSkipped(BitSet skipped);

    /// Returns a set of the same elements that limits the time of each wait; [IntegerView#waitSet] sets no limit.
    ///
    /// @param timeout positive
    WaitSet withTimeout(Duration timeout);

    /// Waits until the comparison has held for each element, each at some moment.
    /// @counterpart `shmem_TYPE_wait_until_all`
    void waitAll(Comparison comparison, long operand);

    /// The same, with an operand for each element.
    /// @counterpart `shmem_TYPE_wait_until_all_vector`
    void waitAll(Comparison comparison, long[] operands);

    /// Waits until the comparison holds for an element, and returns its number, −1 if the set is empty.
    /// @counterpart `shmem_TYPE_wait_until_any`
    int waitAny(Comparison comparison, long operand);

    /// The same, with an operand for each element.
    /// @counterpart `shmem_TYPE_wait_until_any_vector`
    int waitAny(Comparison comparison, long[] operands);

    /// Waits until the comparison holds for at least one element, and returns for how many, 0 if the set is empty.
    /// @counterpart `shmem_TYPE_wait_until_some`
    /// @param found gets their numbers
    int waitSome(Comparison comparison, long operand, int[] found);

    /// The same, with an operand for each element.
    /// @counterpart `shmem_TYPE_wait_until_some_vector`
    int waitSome(Comparison comparison, long[] operands, int[] found);

    /// Returns whether the comparison holds for all elements now; true if the set is empty.
    /// @counterpart `shmem_TYPE_test_all`
    boolean testAll(Comparison comparison, long operand);

    /// The same, with an operand for each element.
    /// @counterpart `shmem_TYPE_test_all_vector`
    boolean testAll(Comparison comparison, long[] operands);

    /// Returns the number of an element for which the comparison holds now, or −1.
    /// @counterpart `shmem_TYPE_test_any`
    int testAny(Comparison comparison, long operand);

    /// The same, with an operand for each element.
    /// @counterpart `shmem_TYPE_test_any_vector`
    int testAny(Comparison comparison, long[] operands);

    /// Returns for how many elements the comparison holds now; `found` gets their numbers.
    /// @counterpart `shmem_TYPE_test_some`
    int testSome(Comparison comparison, long operand, int[] found);

    /// The same, with an operand for each element.
    /// @counterpart `shmem_TYPE_test_some_vector`
    int testSome(Comparison comparison, long[] operands, int[] found);
}
