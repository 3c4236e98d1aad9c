// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.mapped.HeapAddresses;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.memory.JobSegment;
import coterie.spi.PeJob;
import java.util.BitSet;
import java.util.Set;

/// The mapped conduit, restricted like a network between nodes: a PE can load and store the memory of its own node
/// only, and uses the conduit's operations for all other PEs. With it tests on one machine prove that the runtime
/// assumes no more.
final class NodeConduit extends MappedConduit {
    private static final Set<Capability> WITHOUT_THREADS =
            Set.of(Capability.DIRECT, Capability.ORDERED, Capability.PASSIVE_TARGET);

    private final BitSet near;

    /// @param near the PEs whose memory this PE can load and store, from [#near]
    NodeConduit(JobSegment job, int me, HeapAddresses addresses, BitSet near) {
        super(job, me, addresses);
        this.near = near;
    }

    /// Returns the PEs whose memory the PE of a job can load and store.
    ///
    /// @param direct whether these are all PEs of the node; otherwise each PE has only itself
    static BitSet near(PeJob job, boolean direct) {
        int me = job.pe();
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
    public Set<Capability> capabilities() {
        return WITHOUT_THREADS; // as with the channels of a network, which have state
    }

    @Override
    public long directBase(Region region, int peer) {
        return near.get(peer) ? super.directBase(region, peer) : 0;
    }
}
