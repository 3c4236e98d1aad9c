// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.IntegerView;
import coterie.SignalWord;

/// Timed loops that store and load single words.
final class WordLoops {
    private WordLoops() {}

    /// Stores a word of any width.
    static final class Store extends OriginLoop {
        private final IntegerView words;

        Store(BenchFixture bench, IntegerView words) {
            super(bench);
            this.words = words;
        }

        @Override
        void repeat(long iterations, long bytes) {
            IntegerView words = this.words;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                words.put(BenchFixture.WORD, i, peer);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            if (bench.isTarget()) {
                bench.checkWord(operation, words, BenchFixture.narrowed(words, iterations() - 1));
            }
        }
    }

    /// Loads a word of any width.
    static final class Load extends SummingLoop {
        private final IntegerView words;

        Load(BenchFixture bench, IntegerView words) {
            super(bench, BenchFixture.narrowed(words, AtomicLoop.INITIAL));
            this.words = words;
        }

        @Override
        long repeat(long iterations) {
            IntegerView words = this.words;
            int peer = bench.peer;
            long sum = 0;
            words.put(BenchFixture.WORD, AtomicLoop.INITIAL, peer);
            for (long i = 0; i < iterations; i++) {
                sum += words.get(BenchFixture.WORD, peer);
            }
            return sum;
        }
    }

    /// Loads a signal of its own.
    static final class SignalFetch extends SummingLoop {
        SignalFetch(BenchFixture bench) {
            super(bench, BenchFixture.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            SignalWord signal = bench.setSignal();
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += signal.fetch();
            }
            return sum;
        }
    }
}
