// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The bytes that I say in a round: the same to all, or others to each. They go from where they lie straight into
/// the others' lines; what I say to myself is kept, since results may overwrite it.
final class InlinePayload {
    private final int most;

    /// Of the bytes that are kept; none before the first are said.
    private MemorySegment mine = MemorySegment.NULL;

    private long from;
    private long stride;
    private int bytes;
    private boolean areNew;

    /// @param most bytes to a member
    InlinePayload(int most) {
        this.most = most;
    }

    /// @param from the address of those to the first member
    /// @param stride how far those to a member are behind those to the one before
    /// @param bytes to each
    void set(long from, long stride, int bytes) {
        if (mine.byteSize() == 0) {
            mine = Arena.ofAuto().allocate(most, Long.BYTES);
        }
        this.from = from;
        this.stride = stride;
        this.bytes = bytes;
        this.areNew = bytes > 0;
    }

    /// Whether there are some that have not been kept.
    boolean areNew() {
        return areNew;
    }

    /// Copies those to a member to an address.
    void copy(int member, long address) {
        MemoryCopy.copy(AddressSpace.ALL, from + member * stride, AddressSpace.ALL, address, bytes);
    }

    /// Keeps those to a member, which is I.
    void keep(int me) {
        MemoryCopy.copy(AddressSpace.ALL, from + me * stride, mine, 0, bytes);
        areNew = false;
    }

    /// A word of those that are kept, the last one with what it has besides.
    long word(int word) {
        return mine.get(JAVA_LONG, (long) word * Long.BYTES);
    }

    /// Where those are that are kept.
    long address() {
        return mine.address();
    }
}
