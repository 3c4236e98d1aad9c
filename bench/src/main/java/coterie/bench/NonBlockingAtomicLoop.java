// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.IntegerView;
import java.lang.foreign.MemorySegment;

/// A loop of PE 0 that starts many atomics whose fetched words come later, and then completes them. Checked as an
/// [AtomicLoop] is.
abstract class NonBlockingAtomicLoop extends OriginLoop {
    /// Operations between two completions.
    static final int WINDOW = 1000;

    private final MemorySegment results;

    NonBlockingAtomicLoop(BenchFixture bench) {
        super(bench);
        this.results = bench.myTarget;
    }

    @Override
    final void repeat(long iterations, long bytes) {
        IntegerView words = bench.longs;
        words.put(BenchFixture.WORD, AtomicLoop.INITIAL, bench.peer);
        for (long i = 0; i < iterations; i++) {
            window(words, results, bench.peer, i * WINDOW);
            bench.context.quiet();
        }
    }

    /// Starts [#WINDOW] operations; fetched word `i` of them goes to element `i` of the results.
    ///
    /// @param first the number of the first operation
    abstract void window(IntegerView words, MemorySegment results, int peer, long first);

    /// What the operation with this number, from 0 on, makes of a word.
    abstract long next(long word, long number);

    @Override
    public final void check(String operation, long bytes) {
        long operations = iterations() * WINDOW;
        long word = AtomicLoop.INITIAL;
        for (long number = 0; number < operations; number++) {
            long result = number - (operations - WINDOW);
            if (bench.pe == 0 && result >= 0 && results.getAtIndex(JAVA_LONG, result) != word) {
                throw new IllegalStateException(operation + " on PE 0: operation " + number + " of " + operations
                        + " got " + results.getAtIndex(JAVA_LONG, result) + ", not " + word);
            }
            word = next(word, number);
        }
        if (bench.isTarget()) {
            bench.checkWord(operation, bench.longs, word);
        }
    }
}
