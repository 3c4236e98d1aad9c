// SPDX-License-Identifier: Apache-2.0
package coterie;

/// What a put with signal does to its signal, indivisibly with all other updates of it.
public enum SignalOperation {
    /// gives it the value; answers to `SHMEM_SIGNAL_SET`
    SET,
    /// adds the value to it, wrapping; answers to `SHMEM_SIGNAL_ADD`
    ADD
}
