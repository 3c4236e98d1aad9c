// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.spi.Conduit.Region;

/// Observes the accesses of a PE to its own memory, for which it needs no channel. A conduit with an observer can
/// detect reads of bytes that no synchronization has made visible.
///
/// Offsets count from the begin of the region. The accessing thread calls [#read] and [#wrote] immediately before
/// the access, which does not happen if the observer throws, and [#observed] immediately after the observation.
public interface AccessObserver {
    /// The program is about to read bytes of its heap through a typed accessor.
    void read(long offset, long length);

    /// The program is about to write bytes of its heap through a typed accessor.
    void wrote(long offset, long length);

    /// The runtime has seen a word satisfy a wait, a test or a round of a collective: all that its writer had made
    /// visible before the write is visible now.
    void observed(Region region, long offset, long length);

    /// The program is about to test or await words of its own. A simulator must let other PEs run here: a program
    /// may poll for what they write.
    void polled();
}
