// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What a PE is.
public enum PeMode {
    /// a JVM of its own
    PROCESSES,
    /// a thread group of one JVM that hosts them all, with a class loader of its own
    THREADS
}
