// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The addresses of the heaps of a team's PEs, which all contexts of the team share. The first allocation of the
/// world fills them in.
///
/// The world's object has the addresses of all PEs; it makes those of other teams, and fills them in with its own.
public final class PeerBases {
    /// Per PE: the heap's address for loads and stores, or 0.
    final long[] direct;

    /// Per PE: its number in the world; or null if each PE has the same number in both.
    private final int @Nullable [] pes;

    /// Per PE: the conduit's address of its heap; or null if it is the same for all.
    private long @Nullable [] remotes;

    private long remote;

    private final Conduit conduit;
    /// The address of this PE's own heap, for its own loads and stores.
    long local;

    private final List<PeerBases> teams = new ArrayList<>();
    private boolean attached;
    private boolean allDirect = true;

    /// Makes those of all PEs of a world.
    PeerBases(int size, Conduit conduit) {
        this(size, null, conduit);
    }

    private PeerBases(int size, int @Nullable [] pes, Conduit conduit) {
        this.pes = pes;
        this.conduit = conduit;
        this.direct = new long[size];
    }

    /// Makes those of a team, from the world's; [#forget] releases them.
    ///
    /// @param members world numbers; the caller must not change the array any more
    public synchronized PeerBases of(int[] members) {
        PeerBases peerBases = new PeerBases(members.length, members, conduit);
        teams.add(peerBases);
        if (attached) {
            peerBases.attach();
        }
        return peerBases;
    }

    /// Releases those of a team that the program has destroyed.
    public synchronized void forget(PeerBases team) {
        teams.remove(team);
    }

    /// Returns the number of teams with addresses from this object.
    synchronized int teams() {
        return teams.size();
    }

    /// Reads the addresses of the heaps from the conduit.
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

    /// Returns the world number of a PE.
    int world(int pe) {
        return pes == null ? pe : pes[pe];
    }

    /// Returns the conduit's address of a PE's heap.
    long remote(int pe) {
        return remotes == null ? remote : remotes[pe];
    }

    /// Returns whether this PE can load and store all heaps; true before heaps exist, as no operation is pending
    /// then.
    boolean allDirect() {
        return allDirect;
    }
}
