// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.IntegerView;

/// A loop of PE 0 that changes one word of its peer, and may get what was there before.
///
/// What happens to the word is said twice: by the operation that is timed, and in plain Java by [#next], from
/// which the check works out what must be left.
abstract class AtomicLoop extends OriginLoop {
    /// The word's first value. Each of its bytes has bits that are set and bits that are not, so that every
    /// operation has something to change.
    static final long INITIAL = 0x5A5A_5A5A_5A5A_5A5AL;

    /// What an operation gives.
    enum Gives {
        NOTHING,
        OLD_WORD
    }

    private final IntegerView words;
    private final Gives gives;

    /// Sum of what the operations gave.
    private long given;

    /// @param words the view by whose width the word is changed
    AtomicLoop(BenchFixture bench, IntegerView words, Gives gives) {
        super(bench);
        this.words = words;
        this.gives = gives;
    }

    @Override
    final void repeat(long iterations, long bytes) {
        words.put(BenchFixture.WORD, INITIAL, bench.peer);
        given = repeat(words, bench.peer, iterations);
        bench.context.quiet();
    }

    /// The loop itself. Returns the sum of what it gets, or 0.
    abstract long repeat(IntegerView words, int peer, long iterations);

    /// What the operation with this number, from 0 on, makes of a word; higher bits than the word has are ignored.
    abstract long next(long word, long number);

    @Override
    public final void check(String operation, long bytes) {
        long word = BenchFixture.narrowed(words, INITIAL);
        long sum = 0;
        for (long number = 0; number < iterations(); number++) {
            sum += word;
            word = BenchFixture.narrowed(words, next(word, number));
        }
        if (bench.isTarget()) {
            bench.checkWord(operation, words, word);
        }
        if (bench.pe == 0 && gives == Gives.OLD_WORD && given != sum) {
            throw new IllegalStateException(operation + " on PE 0: what it got adds up to " + given + ", not " + sum);
        }
    }
}
