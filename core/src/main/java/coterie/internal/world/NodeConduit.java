// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.mapped.HeapAddresses;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.memory.JobSegment;
import java.util.BitSet;

/// The mapped conduit as a network between nodes would look: only PEs of my node can be loaded and stored, and
/// everything else goes through the conduit's operations. It proves, on one machine, that nothing above it assumes
/// more.
final class NodeConduit extends MappedConduit {
    private final BitSet near;

    /// @param near the PEs that can be loaded and stored, from [#near]
    NodeConduit(JobSegment job, int me, HeapAddresses addresses, BitSet near) {
        super(job, me, addresses);
        this.near = near;
    }

    /// The PEs of my node.
    ///
    /// @param direct whether they can be loaded and stored; else each PE is as alone as on a node of its own
    static BitSet near(JobSegment job, int me, boolean direct) {
        BitSet near = new BitSet(job.size());
        for (int pe = 0; pe < job.size(); pe++) {
            near.set(pe, pe == me || (direct && job.node(pe) == job.node(me)));
        }
        return near;
    }

    @Override
    public String name() {
        return "mapped within nodes";
    }

    @Override
    public boolean servesThreads() {
        return false; // as a network's, which has state
    }

    @Override
    public long directBase(Region region, int peer) {
        return near.get(peer) ? super.directBase(region, peer) : 0;
    }
}
