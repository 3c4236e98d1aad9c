// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;

/// Where the heaps of a team's PEs are: shared by all contexts of the team, and filled in by the first allocation.
public final class Peers {
    /// Per PE: the heap's address for loads and stores, or 0.
    final long[] direct;

    /// Per PE: what a remote place in its heap counts from.
    final long[] remote;

    private final int me;
    private final Conduit conduit;
    private boolean allDirect = true;

    Peers(int me, int size, Conduit conduit) {
        this.me = me;
        this.conduit = conduit;
        this.direct = new long[size];
        this.remote = new long[size];
    }

    /// Takes over where the conduit has put the heaps.
    public void attach() {
        for (int pe = 0; pe < direct.length; pe++) {
            direct[pe] = conduit.directBase(Region.HEAP, pe);
            remote[pe] = conduit.remoteBase(Region.HEAP, pe);
            allDirect &= direct[pe] != 0;
        }
    }

    /// Whether all can be loaded and stored; so it is before there are heaps, when nothing can be under way.
    boolean allDirect() {
        return allDirect;
    }

    /// Zeroes a part of my own heap.
    public void clear(long offset, long length) {
        AddressSpace.ALL.asSlice(direct[me] + offset, length).fill((byte) 0);
    }
}
