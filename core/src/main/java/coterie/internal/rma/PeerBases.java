// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the heaps of a team's PEs are: shared by all contexts of the team, and filled in by the first allocation.
///
/// The world's has all PEs; those of other teams are made from it, and filled in with it.
public final class PeerBases {
    /// Per PE: the heap's address for loads and stores, or 0.
    final long[] direct;

    /// Per PE: its number in the world; or null where that is the same.
    private final int @Nullable [] pes;

    /// Per PE: what a remote place in its heap counts from; or null where that is the same for all.
    private long @Nullable [] remotes;

    private long remote;

    private final Conduit conduit;
    /// Where my own heap is, for what I load and store in it myself.
    long local;

    private final List<PeerBases> teams = new ArrayList<>();
    private boolean attached;
    private boolean allDirect = true;

    /// Those of all PEs of a world.
    PeerBases(int size, Conduit conduit) {
        this(size, null, conduit);
    }

    private PeerBases(int size, int @Nullable [] pes, Conduit conduit) {
        this.pes = pes;
        this.conduit = conduit;
        this.direct = new long[size];
    }

    /// Makes those of a team, from the world's; see [#forget].
    ///
    /// @param members world numbers; not to be changed any more
    public synchronized PeerBases of(int[] members) {
        PeerBases peerBases = new PeerBases(members.length, members, conduit);
        teams.add(peerBases);
        if (attached) {
            peerBases.attach();
        }
        return peerBases;
    }

    /// Lets go those of a team that is no more.
    public synchronized void forget(PeerBases team) {
        teams.remove(team);
    }

    /// How many teams have theirs from here.
    synchronized int teams() {
        return teams.size();
    }

    /// Takes over where the conduit has put the heaps.
    public synchronized void attach() {
        long[] found = null;
        remote = conduit.remoteBase(Region.HEAP, world(0));
        for (int pe = 0; pe < direct.length; pe++) {
            direct[pe] = conduit.directBase(Region.HEAP, world(pe));
            allDirect &= direct[pe] != 0;
            long base = conduit.remoteBase(Region.HEAP, world(pe));
            if (found == null && base != remote) {
                found = new long[direct.length];
                Arrays.fill(found, 0, pe, remote);
            }
            if (found != null) {
                found[pe] = base;
            }
        }
        remotes = found;
        local = conduit.localBase(Region.HEAP);
        attached = true;
        teams.forEach(PeerBases::attach);
    }

    /// The world number of a PE.
    int world(int pe) {
        return pes == null ? pe : pes[pe];
    }

    /// What a remote place in a PE's heap counts from.
    long remote(int pe) {
        return remotes == null ? remote : remotes[pe];
    }

    /// Whether all can be loaded and stored; so it is before there are heaps, when nothing can be under way.
    boolean allDirect() {
        return allDirect;
    }
}
