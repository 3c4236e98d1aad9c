// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.spi.Conduit.Region;

/// Is told what a PE does with its own memory where it needs no channel for it. A conduit that has one can tell
/// reads of bytes that nothing has made visible.
///
/// Offsets count from the begin of the region. Called by the thread that does it: of an access just before it, so
/// that one that is refused does not happen, and of an observation just after it. Nothing comes in between.
public interface AccessObserver {
    /// The program is about to read bytes of its heap through a typed accessor.
    void read(long offset, long length);

    /// The program is about to write bytes of its heap through a typed accessor.
    void wrote(long offset, long length);

    /// A word has been seen to be as a wait, a test or a round of a collective wants it: what its writer had made
    /// visible before it wrote is visible now.
    void observed(Region region, long offset, long length);

    /// The program is about to look at words of its own, to test them or to wait for them. What it polls for may
    /// come only if the others get a chance here.
    void polled();
}
