// SPDX-License-Identifier: Apache-2.0
package coterie;

/// What a program promises about its use of a context; see [Team#createContext].
public enum ContextOption {
    /// Any thread uses it, but one at a time, each handing it to the next with a happens-before. Answers to
    /// `SHMEM_CTX_SERIALIZED`.
    SERIALIZED,
    /// Only the thread that creates it uses and closes it; others get a [WrongThreadException]. Answers to
    /// `SHMEM_CTX_PRIVATE`.
    PRIVATE,
    /// Its fence and quiet need not order plain stores to symmetric memory, only its own operations. Together with
    /// one of the others, a quiet with nothing to complete then costs nothing. Answers to `SHMEM_CTX_NOSTORE`.
    NOSTORE
}
