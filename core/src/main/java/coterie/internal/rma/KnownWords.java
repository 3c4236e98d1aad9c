// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.internal.record.RecordedAllocation;
import coterie.internal.wait.AwaitedMemory;
import coterie.internal.wait.AwaitedWord;
import coterie.spi.WordNames;
import org.jspecify.annotations.Nullable;

/// Memory of whose words the program has named the writers, or said what they are.
final class KnownWords implements AwaitedMemory {
    private final AwaitedMemory memory;
    private final int @Nullable [] writers;
    private final @Nullable WordNames names;
    private final PeContext context;
    private final long first;
    private final int shift;

    /// @param writers world numbers; null for all
    /// @param names of the words from an address on, or null
    /// @param context whose PEs the names know
    private KnownWords(
            AwaitedMemory memory,
            int @Nullable [] writers,
            @Nullable WordNames names,
            PeContext context,
            long first,
            int shift) {
        this.memory = memory;
        this.writers = writers;
        this.names = names;
        this.context = context;
        this.first = first;
        this.shift = shift;
    }

    /// Returns a block of whose words only some PEs write those that the program waits for.
    ///
    /// @param known the block, or what is known of it
    static AwaitedMemory written(AwaitedMemory known, PeContext context, int @Nullable [] writers) {
        return known instanceof KnownWords words
                ? new KnownWords(words.memory, writers, words.names, words.context, words.first, words.shift)
                : new KnownWords(known, writers, null, context, 0, 0);
    }

    /// Returns a block with names for its words.
    ///
    /// @param known the block, or what is known of it
    /// @param first address of word 0
    /// @param shift of a word's size
    static AwaitedMemory named(AwaitedMemory known, PeContext context, WordNames names, long first, int shift) {
        return known instanceof KnownWords words
                ? new KnownWords(words.memory, words.writers, names, context, first, shift)
                : new KnownWords(known, null, names, context, first, shift);
    }

    @Override
    public boolean isFreed() {
        return memory.isFreed();
    }

    @Override
    public int @Nullable [] writers() {
        return writers;
    }

    @Override
    public @Nullable RecordedAllocation allocation() {
        return memory.allocation();
    }

    @Override
    public @Nullable AwaitedWord describe(long address) {
        if (names == null) {
            return null;
        }
        long index = (address - first) >> shift;
        int writer = names.writer(index);
        return new AwaitedWord(
                names.name(index), names.remark(index), writer < 0 ? -1 : context.peerBases.world(writer));
    }
}
