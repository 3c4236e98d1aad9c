// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.mapped.HeapAddresses;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.memory.JobSegment;

/// The mapped conduit as a network would look: only a PE's own memory can be loaded and stored, and everything else
/// goes through the conduit's operations. It proves, on one machine, that nothing above it assumes more.
final class IndirectConduit extends MappedConduit {
    private final int me;

    IndirectConduit(JobSegment job, int me, HeapAddresses addresses) {
        super(job, me, addresses);
        this.me = me;
    }

    @Override
    public String name() {
        return "mapped, indirect";
    }

    @Override
    public long directBase(Region region, int peer) {
        return peer == me ? super.directBase(region, peer) : 0;
    }

    @Override
    public long remoteBase(Region region, int peer) {
        return super.directBase(region, peer);
    }
}
