// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// A probe for errors that other PEs wait for, which threads of this PE run also while they wait for something
/// else.
public interface IdleProbe {

    /// Probes once. Any thread may call it, and several at the same time. It must not throw, and as long as it
    /// finds no error, neither wait nor allocate.
    void poll();
}
