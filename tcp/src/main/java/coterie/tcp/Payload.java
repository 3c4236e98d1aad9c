// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import java.lang.foreign.MemorySegment;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Where bytes that are arriving go, and how many are missing: to this PE's memory, or to the program's. The engine's
/// lock guards it.
final class Payload {
    private final ReachableMemory memory;
    private final ByteBuffer bounce;
    private final MemorySegment bounced;

    private long missing;
    private long remote;
    private @Nullable MemorySegment target;
    private long targetOffset;

    /// A view of the target, if it is native and the payload is long.
    private @Nullable ByteBuffer view;

    /// @param bounce native memory by which bytes arrive for arrays, for all streams of an engine
    Payload(ReachableMemory memory, ByteBuffer bounce) {
        this.memory = memory;
        this.bounce = bounce;
        this.bounced = MemorySegment.ofBuffer(bounce);
    }

    /// The bytes go to this PE's memory.
    ///
    /// @param place whose bytes the receiver has checked
    void expect(long place, long length) {
        remote = place;
        target = null;
        missing = length;
    }

    /// The bytes go to the program's memory.
    void expect(MemorySegment to, long offset, long length) {
        target = to;
        targetOffset = offset;
        missing = length;
    }

    /// Returns how many bytes have yet to arrive.
    long missing() {
        return missing;
    }

    /// Returns where the next bytes go.
    ByteBuffer place() {
        MemorySegment to = target;
        if (to == null) {
            return memory.view(remote, missing);
        }
        if (!to.isNative()) {
            return bounce.limit((int) Math.min(bounce.capacity(), missing)).position(0);
        }
        ByteBuffer known = view;
        if (known == null || !known.hasRemaining()) {
            known = ProcessMemory.view(to.address() + targetOffset, Math.min(ProcessMemory.VIEW_BYTES, missing));
            view = known;
        }
        return known;
    }

    /// Takes the bytes of a read that have gone to [#place].
    ///
    /// @param from where they begin there
    void takePlaced(ByteBuffer place, int from) {
        int count = place.position() - from;
        MemorySegment to = target;
        if (to != null && !to.isNative()) {
            MemorySegment.copy(bounced, 0, to, targetOffset, count);
        }
        moveOn(count);
    }

    /// Takes bytes from a buffer, at most as many as are missing.
    void copy(MemorySegment buffered, int at, int count) throws ProtocolException {
        MemorySegment to = target;
        if (to == null) {
            MemorySegment.copy(buffered, at, memory.region(remote, count), ReachableMemory.offset(remote), count);
        } else if (to.isNative()) {
            MemorySegment.copy(buffered, at, ProcessMemory.ALL, to.address() + targetOffset, count);
        } else {
            MemorySegment.copy(buffered, at, to, targetOffset, count);
        }
        moveOn(count);
    }

    private void moveOn(long count) {
        missing -= count;
        remote += count;
        targetOffset += count;
        if (missing == 0) {
            target = null;
            view = null;
        }
    }
}
