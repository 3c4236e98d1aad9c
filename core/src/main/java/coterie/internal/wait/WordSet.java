// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.Comparison;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Consecutive words of mine to wait for together. Made once, used often; no call allocates. Used by one thread at
/// a time.
///
/// Words that are skipped take no part. What a word is compared with is either one operand for all, or one of an
/// array's for each.
public final class WordSet {
    private final AwaitedMemory memory;
    private final WordType type;
    private final long address;
    private final int size;
    private final long offset;
    private final @Nullable AccessObserver observer;
    private final @Nullable BitSet skipped;

    /// One for each word, as the user gave them; or null, and then [#operand] is for all.
    private long @Nullable [] operands;

    /// In normal form.
    private long operand;

    /// Where [#any] begins: behind the word it reported last, so that one that stays satisfied hides no other.
    private int next;

    /// @param memory of the words
    /// @param address of the first word
    /// @param size how many words
    /// @param offset of the first word in symmetric memory
    /// @param observer told of each word that has compared as asked, or null
    public WordSet(
            AwaitedMemory memory,
            WordType type,
            long address,
            int size,
            long offset,
            @Nullable AccessObserver observer) {
        this(memory, type, address, size, offset, observer, null);
    }

    private WordSet(
            AwaitedMemory memory,
            WordType type,
            long address,
            int size,
            long offset,
            @Nullable AccessObserver observer,
            @Nullable BitSet skipped) {
        this.memory = memory;
        this.type = type;
        this.address = address;
        this.size = size;
        this.offset = offset;
        this.observer = observer;
        this.skipped = skipped;
    }

    /// Returns the block of the words.
    AwaitedMemory memory() {
        return memory;
    }

    WordType type() {
        return type;
    }

    /// How many words, skipped ones included.
    public int size() {
        return size;
    }

    /// Returns a set of the same words that leaves the marked ones out; null leaves nothing out. The bits are
    /// read in every scan.
    public WordSet skipping(@Nullable BitSet marked) {
        WordSet set = new WordSet(memory, type, address, size, offset, observer, marked);
        set.operand = operand;
        set.operands = operands;
        set.next = next;
        return set;
    }

    /// Returns a set of the same words, with operands of its own from now on.
    public WordSet copy() {
        return skipping(skipped);
    }

    /// Compares all words with this from now on.
    public void operand(long all) {
        operand = type.normal(all);
        operands = null;
    }

    /// Compares each word with its own from now on. The array is read in every scan, and not copied.
    ///
    /// @param each at least [#size] long
    public void operands(long[] each) {
        assert each.length >= size;
        operands = each;
    }

    /// Returns whether all words are compared with the same.
    boolean hasOneOperand() {
        return operands == null;
    }

    /// Whether no word takes part.
    public boolean isEmpty() {
        return taking(0) == size;
    }

    /// Whether all compare as asked now; an empty set's do.
    public boolean all(Comparison comparison) {
        return firstMissing(0, comparison) == size;
    }

    /// The number of a word that compares as asked now, or −1.
    public int any(Comparison comparison) {
        for (int n = 0; n < size; n++) {
            int word = next + n < size ? next + n : next + n - size;
            if (takesPart(word) && holds(word, comparison)) {
                next = word + 1 < size ? word + 1 : 0;
                if (observer != null) {
                    observe(observer, word);
                }
                return word;
            }
        }
        return -1;
    }

    /// How many compare as asked now.
    ///
    /// @param found gets their numbers, ascending; at least [#size] long
    public int some(Comparison comparison, int[] found) {
        assert found.length >= size;
        int count = 0;
        for (int word = taking(0); word < size; word = taking(word + 1)) {
            if (holds(word, comparison)) {
                found[count++] = word;
            }
        }
        if (observer != null) {
            for (int n = 0; n < count; n++) {
                observe(observer, found[n]);
            }
        }
        return count;
    }

    /// The first word from `from` on that does not compare as asked now, or [#size].
    int firstMissing(int from, Comparison comparison) {
        int word = taking(from);
        while (word < size && holds(word, comparison)) {
            word = taking(word + 1);
        }
        if (observer != null) {
            for (int seen = taking(from); seen < word; seen = taking(seen + 1)) {
                observe(observer, seen);
            }
        }
        return word;
    }

    /// What is missing from `from` on, for people.
    String missing(int from, Comparison comparison) {
        int first = firstMissing(from, comparison);
        int missing = 0;
        for (int word = first; word < size; word = firstMissing(word + 1, comparison)) {
            missing++;
        }
        int taking = 0;
        for (int word = taking(0); word < size; word = taking(word + 1)) {
            taking++;
        }
        String words = missing + " of " + taking + " words missing";
        return first == size ? words : words + ", first " + text(first, comparison);
    }

    /// The first word from `from` on that takes part, or [#size].
    private int taking(int from) {
        int word = from;
        while (word < size && !takesPart(word)) {
            word++;
        }
        return word;
    }

    private boolean takesPart(int word) {
        return skipped == null || !skipped.get(word);
    }

    private boolean holds(int word, Comparison comparison) {
        return comparison.holds(type.loadAcquire(addressOf(word)), operandOf(word));
    }

    private void observe(AccessObserver told, int word) {
        told.observed(Region.HEAP, offsetOf(word), type.byteSize());
    }

    long addressOf(int word) {
        return address + (long) word * type.byteSize();
    }

    /// In normal form.
    private long operandOf(int word) {
        return operands == null ? operand : type.normal(operands[word]);
    }

    /// Where a word lies in symmetric memory.
    public long offsetOf(int word) {
        return offset + (long) word * type.byteSize();
    }

    /// What a word is compared with, as the user gave it.
    long operandValue(int word) {
        return type.value(operandOf(word));
    }

    private String text(int word, Comparison comparison) {
        return Condition.text(type, type.loadAcquire(addressOf(word)), comparison, operandOf(word), offsetOf(word));
    }
}
