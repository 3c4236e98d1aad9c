// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.List;

/// Where the heaps of a team's PEs are: shared by all contexts of the team, and filled in by the first allocation.
///
/// The world's has all PEs; those of other teams are made from it, and filled in with it.
public final class Peers {
    /// Per PE: the heap's address for loads and stores, or 0.
    final long[] direct;

    /// Per PE: what a remote place in its heap counts from.
    final long[] remote;

    /// Per PE: its number in the world.
    private final int[] pes;

    private final Conduit conduit;
    /// Where my own heap is, for what I load and store in it myself.
    long local;

    private final List<Peers> teams = new ArrayList<>();
    private boolean attached;
    private boolean allDirect = true;

    /// @param pes world numbers; not to be changed any more
    Peers(int[] pes, Conduit conduit) {
        this.pes = pes;
        this.conduit = conduit;
        this.direct = new long[pes.length];
        this.remote = new long[pes.length];
    }

    /// Makes those of a team, from the world's; see [#forget].
    ///
    /// @param members world numbers; not to be changed any more
    public synchronized Peers of(int[] members) {
        Peers peers = new Peers(members, conduit);
        teams.add(peers);
        if (attached) {
            peers.attach();
        }
        return peers;
    }

    /// Lets go those of a team that is no more.
    public synchronized void forget(Peers team) {
        teams.remove(team);
    }

    /// How many teams have theirs from here.
    synchronized int teams() {
        return teams.size();
    }

    /// Takes over where the conduit has put the heaps.
    public synchronized void attach() {
        for (int pe = 0; pe < direct.length; pe++) {
            direct[pe] = conduit.directBase(Region.HEAP, pes[pe]);
            remote[pe] = conduit.remoteBase(Region.HEAP, pes[pe]);
            allDirect &= direct[pe] != 0;
        }
        local = conduit.localBase(Region.HEAP);
        attached = true;
        teams.forEach(Peers::attach);
    }

    /// The world number of a PE.
    int world(int pe) {
        return pes[pe];
    }

    /// Whether all can be loaded and stored; so it is before there are heaps, when nothing can be under way.
    boolean allDirect() {
        return allDirect;
    }
}
