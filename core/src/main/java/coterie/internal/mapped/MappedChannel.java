// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Operations on mapped memory for those that are told not to load and store it themselves. Each is done when it
/// returns, so that all channels are one.
enum MappedChannel implements Channel {
    INSTANCE;

    @Override
    public long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        MemoryCopy.copy(source, sourceOffset, AddressSpace.ALL, remote, length);
        return 0;
    }

    @Override
    public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        MemoryCopy.copy(AddressSpace.ALL, remote, target, targetOffset, length);
        return 0;
    }

    @Override
    public long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        MemoryCopy.copy(source, sourceOffset, AddressSpace.ALL, remote, length);
        switch (update) {
            case SET -> AddressSpace.setLongRelease(signal, value);
            case ADD -> AddressSpace.getAndAddLong(signal, value);
        }
        return 0;
    }

    @Override
    public void putWord(long word, int bytes, int peer, long remote) {
        MappedWords.store(remote, shift(bytes), word);
    }

    @Override
    public long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        MappedWords.store(result, resultOffset, shift(bytes), MappedWords.load(remote, shift(bytes)));
        return 0;
    }

    @Override
    public long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset) {
        long before = MappedWords.apply(operation, remote, shift(bytes), operand);
        MappedWords.store(result, resultOffset, shift(bytes), before);
        return 0;
    }

    @Override
    public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        MappedWords.apply(operation, remote, shift(bytes), operand);
    }

    @Override
    public long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        long before = MappedWords.compareAndSwap(remote, shift(bytes), expected, value);
        MappedWords.store(result, resultOffset, shift(bytes), before);
        return 0;
    }

    private static int shift(int bytes) {
        return Integer.numberOfTrailingZeros(bytes);
    }

    @Override
    public void fence() {
        VarHandle.releaseFence();
    }

    @Override
    public long quiet(int peer) {
        VarHandle.fullFence();
        return 0;
    }

    @Override
    public boolean isDone(long ticket) {
        return true;
    }

    @Override
    public void close() {} // nothing is ever under way
}
