// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.Context;
import coterie.ElementType;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A signal: one word of an unsigned view, with the operations of signals.
public final class PeSignalWord implements SignalWord {
    private final PeMemory memory;
    private final PeLongView words;
    private final long index;

    /// @param index of the word in the block's 64-bit words, checked
    PeSignalWord(PeContext context, PeMemory memory, long index) {
        this(memory, new PeLongView(context, memory, ElementType.UNSIGNED_LONG, memory), index);
    }

    private PeSignalWord(PeMemory memory, PeLongView words, long index) {
        this.memory = memory;
        this.words = words;
        this.index = index;
    }

    int @Nullable [] writers() {
        return words.writers();
    }

    @Override
    public SymmetricMemory memory() {
        return memory;
    }

    @Override
    public long index() {
        return index;
    }

    @Override
    public Context context() {
        return words.context();
    }

    @Override
    public SignalWord through(Context other) {
        return new PeSignalWord(memory, words.through(other), index);
    }

    @Override
    public SignalWord writtenBy(int... pes) {
        return new PeSignalWord(memory, words.writtenBy(pes), index);
    }

    @Override
    public SignalUpdate setting(long value) {
        return new SignalUpdate(this, SignalOperation.SET, value);
    }

    @Override
    public SignalUpdate adding(long value) {
        return new SignalUpdate(this, SignalOperation.ADD, value);
    }

    @Override
    public void add(long value, int pe) {
        words.add(index, value, pe);
    }

    @Override
    public void set(long value, int pe) {
        words.updateWord("set", AtomicOperation.SWAP, index, value, pe);
    }

    @Override
    public void set(long value) {
        words.set(index, value);
    }

    @Override
    public long fetch() {
        return words.fetchMine("fetch", index);
    }

    @Override
    public long waitUntil(Comparison comparison, long operand) {
        return words.waitUntil(index, comparison, operand);
    }

    @Override
    public long waitUntil(Comparison comparison, long operand, Duration timeout) {
        return words.waitUntil(index, comparison, operand, timeout);
    }

    /// Returns the offset of the word in a PE's heap; throws if an operation of a view towards this PE may not
    /// update it.
    @SuppressWarnings("ReferenceEquality") // identity is meant, and every put with signal calls this
    long place(String operation, PeElementView view, int pe) {
        PeContext other = view.context;
        if (!memory.isAliveIn(other.home)) {
            throw memory.isFreed()
                    ? ArgumentErrors.freed(operation, other, memory)
                    : ArgumentErrors.ofAnotherWorld(operation, other, memory);
        }
        if (memory.heap() != view.memory.heap() && !memory.heap().isHeldBy(other.peerBases.world(pe))) {
            throw ArgumentErrors.outsider(operation, other, memory, other.peerBases.world(pe));
        }
        return memory.offset + index * Long.BYTES;
    }

    @Override
    public String toString() {
        return "signal at index " + index + " of " + memory;
    }
}
