// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.spi.Conduit.Region;

/// Bytes of a PE.
record ByteInterval(Region region, int pe, long offset, long length) {
    long end() {
        return offset + length;
    }

    boolean isHeap() {
        return region == Region.HEAP;
    }

    /// Whether this has all bytes of another one, of the same PE.
    boolean contains(ByteInterval other) {
        return offset <= other.offset && other.end() <= end();
    }

    /// The bytes of both, from one on that both have.
    ByteInterval common(ByteInterval other, long from) {
        long begin = Math.max(from, Math.max(offset, other.offset));
        return new ByteInterval(region, pe, begin, Math.min(end(), other.end()) - begin);
    }
}
