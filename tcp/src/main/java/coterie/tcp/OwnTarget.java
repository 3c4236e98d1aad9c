// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.TargetWords;
import java.lang.foreign.MemorySegment;
import java.net.ProtocolException;

/// Operations of a PE towards itself: complete when they return, and no message. The runtime's exchanges address all
/// members of a team alike, the caller too.
final class OwnTarget {
    private final ReachableMemory memory;

    OwnTarget(ReachableMemory memory) {
        this.memory = memory;
    }

    void put(MemorySegment source, long offset, long length, long remote) {
        if (length > 0) {
            MemorySegment.copy(source, offset, region(remote, length), ReachableMemory.offset(remote), length);
        }
    }

    void get(long remote, MemorySegment target, long offset, long length) {
        if (length > 0) {
            MemorySegment.copy(region(remote, length), ReachableMemory.offset(remote), target, offset, length);
        }
    }

    void update(SignalOperation update, long signal, long value) {
        apply(MessageReceiver.operation(update), value, Long.BYTES, signal);
    }

    /// Returns the word before.
    long apply(AtomicOperation operation, long operand, int width, long remote) {
        return TargetWords.apply(operation, region(remote, width), ReachableMemory.offset(remote), width, operand);
    }

    /// Returns the word before.
    long compareAndSwap(long expected, long value, int width, long remote) {
        return TargetWords.compareAndSwap(
                region(remote, width), ReachableMemory.offset(remote), width, expected, value);
    }

    private MemorySegment region(long remote, long length) {
        try {
            return memory.region(remote, length);
        } catch (ProtocolException e) {
            throw new IllegalArgumentException("an operation on this PE's own memory", e);
        }
    }
}
