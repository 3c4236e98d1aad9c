// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.PlanBuffer;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Where the members' buffers are in a run with direct work: each member publishes the offsets of its source and
/// target in its heap, 8 bytes each, to those that work on them.
final class BufferPlaces {
    /// Bytes of the message.
    static final int BYTES = 2 * Long.BYTES;

    private final TeamEndpoint endpoint;

    /// This member's, then what the others have published.
    private final MemorySegment places;

    BufferPlaces(TeamEndpoint endpoint) {
        this.endpoint = endpoint;
        this.places = Arena.ofAuto().allocate(BYTES * (1L + endpoint.memberAddresses.size()), Long.BYTES);
    }

    /// A run begins.
    void begin(long source, long target) {
        AddressSpace.setLongOpaque(mine(), source);
        AddressSpace.setLongOpaque(mine() + Long.BYTES, target);
    }

    /// The address of what this member publishes.
    long mine() {
        return places.address();
    }

    /// The address for what a member publishes.
    long of(int member) {
        return places.address() + BYTES * (1L + member);
    }

    /// The address of bytes of another member.
    long address(ByteSpan span) {
        long place = of(span.owner()) + (span.buffer() == PlanBuffer.TARGET ? Long.BYTES : 0);
        return endpoint.conduit.directBase(Region.HEAP, endpoint.memberAddresses.pe(span.owner()))
                + AddressSpace.getLongOpaque(place)
                + span.offset();
    }
}
