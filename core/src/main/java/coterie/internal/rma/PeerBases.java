// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The addresses of the heaps of a team's PEs, which all contexts of the team share. A team's first allocation
/// fills in those of its members.
///
/// The world's object has the addresses of all PEs; it makes those of other teams, and fills them in with its own.
public final class PeerBases {
    /// Per PE: the heap's address for loads and stores, or 0.
    final long[] direct;

    /// Per PE: its number in the world; or null if each PE has the same number in both.
    private final int @Nullable [] pes;

    /// Per PE: the conduit's address of its heap.
    private final long[] remote;

    private final Conduit conduit;

    /// The PEs whose heaps this PE can reach, by world numbers; one object for all teams.
    private final BitSet attached;

    /// The address of this PE's own heap, for its own loads and stores.
    long local;

    private final List<PeerBases> teams = new ArrayList<>();
    private final boolean allDirect;

    /// Makes those of all PEs of a world.
    PeerBases(int size, Conduit conduit) {
        this(size, null, conduit, new BitSet(size));
    }

    private PeerBases(int size, int @Nullable [] pes, Conduit conduit, BitSet attached) {
        this.pes = pes;
        this.conduit = conduit;
        this.attached = attached;
        this.direct = new long[size];
        this.remote = new long[size];
        this.allDirect = IntStream.range(0, size).allMatch(pe -> conduit.directBase(Region.SYNC, world(pe)) != 0);
    }

    /// Makes those of a team, from the world's; [#forget] releases them.
    ///
    /// @param members world numbers; the caller must not change the array any more
    public synchronized PeerBases of(int[] members) {
        PeerBases peerBases = new PeerBases(members.length, members, conduit, attached);
        teams.add(peerBases);
        peerBases.read();
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

    /// Reads the addresses of the heaps from the conduit, for this object of the world and all others.
    ///
    /// @param reachable world numbers of all PEs whose heaps the conduit has attached
    public synchronized void attach(BitSet reachable) {
        attached.or(reachable);
        read();
        teams.forEach(PeerBases::read);
    }

    private void read() {
        for (int pe = 0; pe < direct.length; pe++) {
            if (attached.get(world(pe))) {
                direct[pe] = conduit.directBase(Region.HEAP, world(pe));
                remote[pe] = conduit.remoteBase(Region.HEAP, world(pe));
            }
        }
        local = attached.isEmpty() ? 0 : conduit.localBase(Region.HEAP);
    }

    /// Returns the world number of a PE.
    public int world(int pe) {
        return pes == null ? pe : pes[pe];
    }

    /// Returns the number here of a PE of the world, or −1 if this team does not have it.
    int number(int world) {
        if (pes == null) {
            return world;
        }
        int pe = pes.length - 1;
        while (pe >= 0 && pes[pe] != world) {
            pe--;
        }
        return pe;
    }

    /// Returns the world number of the first PE that does not have a team's memory, or −1.
    int outsider(BlockHeap heap) {
        for (int pe = 0; pe < direct.length && heap.teamName() != null; pe++) {
            if (!heap.isHeldBy(world(pe))) {
                return world(pe);
            }
        }
        return -1;
    }

    /// Returns the conduit's address of a PE's heap.
    long remote(int pe) {
        return remote[pe];
    }

    /// Returns whether this PE can load and store the heaps of all PEs, of those too whose heaps it has not
    /// attached yet.
    boolean allDirect() {
        return allDirect;
    }
}
