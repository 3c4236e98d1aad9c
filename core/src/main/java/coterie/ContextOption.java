// SPDX-License-Identifier: Apache-2.0
package coterie;

/// A promise of the program about its use of a context; see [Team#createContext].
public enum ContextOption {
    /// Any thread uses it, one at a time, with a happens-before between two threads.
    /// @counterpart `SHMEM_CTX_SERIALIZED`
    SERIALIZED,
    /// Only its creating thread uses and closes it; others get a [WrongThreadException].
    /// @counterpart `SHMEM_CTX_PRIVATE`
    PRIVATE,
    /// Its fence and quiet order only its own operations, not plain stores to symmetric memory. With one of the
    /// other options, a quiet without operations to complete costs nothing.
    /// @counterpart `SHMEM_CTX_NOSTORE`
    NOSTORE
}
