// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.Context;
import coterie.IntegerView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// What the shapes of all kinds have in common. A cell's word X is the cell itself.
abstract class LitmusShapes {
    /// Elements of a put that is more than a word: all that fits before Y.
    static final int BULK = Litmus.Y;

    final Litmus litmus;
    final IntegerView words;
    final Context context;

    /// Each PE's cells as plain memory; empty where they can't be loaded and stored.
    final List<MemorySegment> plain = new ArrayList<>();

    /// What puts of more than a word copy from.
    final long[] array = new long[BULK];

    final MemorySegment source = MemorySegment.ofArray(array);

    LitmusShapes(Litmus litmus) {
        this.litmus = litmus;
        this.words = litmus.words;
        this.context = words.context();
        if (litmus.cells.segment(0).isPresent() && litmus.cells.segment(1).isPresent()) {
            plain.add(litmus.cells.segment(0).get());
            plain.add(litmus.cells.segment(1).get());
        }
    }

    /// Whether plain loads and stores reach the other PE: its operations are then loads and stores too.
    boolean isMapped() {
        return !plain.isEmpty();
    }

    /// What must hold.
    abstract List<LitmusShape> list();

    /// Puts a word, fences and puts another one, both to PE 1.
    ///
    /// @return what a step returns that reads nothing
    final int putFencePut(long first, long firstValue, long second, long secondValue) {
        words.put(first, firstValue, 1);
        context.fence();
        words.put(second, secondValue, 1);
        return 0;
    }

    /// The least of the words that a larger put has written; loads every one of them.
    final long least(long first) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < BULK; i++) {
            least = Math.min(least, words.get(first + i));
        }
        return least;
    }
}
