// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The operation of a [SignalUpdate], indivisible with respect to all other updates of the word.
public enum SignalOperation {
    /// sets the word to the value
    /// @counterpart `SHMEM_SIGNAL_SET`
    SET,
    /// adds the value to the word, wrapping
    /// @counterpart `SHMEM_SIGNAL_ADD`
    ADD
}
