// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.Context;
import coterie.DoubleView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.NarrowFloatView;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A block of symmetric host memory as the ring's consumer uses it: views through the ring's context, and the
/// addresses by which kernels know the PE's own part.
final class RingBlock {
    final IntegerView bytes;
    final IntegerView ints;
    final IntegerView longs;
    final NarrowFloatView halves;
    final NarrowFloatView bfloat16s;
    final FloatView floats;
    final DoubleView doubles;
    final MemorySegment own;

    private final SymmetricMemory memory;
    private final Context context;
    private final long deviceBase;
    private @Nullable SignalWord signal;

    RingBlock(SymmetricMemory memory, Context context, long deviceBase) {
        this.memory = memory;
        this.context = context;
        this.deviceBase = deviceBase;
        this.bytes = memory.bytes().through(context);
        this.ints = memory.ints().through(context);
        this.longs = memory.longs().through(context);
        this.halves = memory.halves().through(context);
        this.bfloat16s = memory.bfloat16s().through(context);
        this.floats = memory.floats().through(context);
        this.doubles = memory.doubles().through(context);
        this.own = memory.segment();
    }

    /// Returns whether `bytes` bytes at an address of the device are in the PE's own part.
    boolean contains(long address, long bytes) {
        long offset = address - deviceBase;
        return deviceBase != 0 && offset >= 0 && bytes <= own.byteSize() && offset <= own.byteSize() - bytes;
    }

    /// Returns the offset in the PE's own part of an address that it contains.
    long offsetOf(long address) {
        return address - deviceBase;
    }

    /// Returns an update of a signal word; only another word than the last one's makes a view.
    SignalUpdate update(long byteOffset, int operation, long value) {
        long index = byteOffset / Long.BYTES;
        SignalWord word = signal;
        if (word == null || word.index() != index) {
            word = memory.signal(index).through(context);
            signal = word;
        }
        return operation == RingLayout.SIGNAL_ADD ? word.adding(value) : word.setting(value);
    }
}
