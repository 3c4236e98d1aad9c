// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

/// One of the connections to a peer.
///
/// @param pe the peer
/// @param rail 0 for the first connection, or a number of a [Rail]
record Route(int pe, int rail) {
    /// Returns the first connection to the same peer.
    Route first() {
        return new Route(pe, 0);
    }

    boolean isFirst() {
        return rail == 0;
    }
}
