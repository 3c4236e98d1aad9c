// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.spi.Conduit.Region;

/// An interval of bytes in a region of a PE.
record ByteInterval(Region region, int pe, long offset, long length) {
    long end() {
        return offset + length;
    }

    boolean isHeap() {
        return region == Region.HEAP;
    }

    /// Returns whether this interval contains another one of the same PE.
    boolean contains(ByteInterval other) {
        return offset <= other.offset && other.end() <= end();
    }

    /// Returns the bytes from `from` on that both intervals have; both must contain the byte at `from`.
    ByteInterval common(ByteInterval other, long from) {
        long begin = Math.max(from, Math.max(offset, other.offset));
        return new ByteInterval(region, pe, begin, Math.min(end(), other.end()) - begin);
    }
}
