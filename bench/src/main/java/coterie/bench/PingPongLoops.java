// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.ByteView;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SignalWord;

/// Timed loops in which PEs 0 and 1 answer each other. One iteration is there and back.
final class PingPongLoops {
    private PingPongLoops() {}

    /// Payload, fence, flag. Up to 8 bytes the flag is the payload.
    static final class PingPong implements Loop {
        private final BenchFixture bench;
        private long turn;

        PingPong(BenchFixture bench) {
            this.bench = bench;
            this.turn = bench.longs.get(BenchFixture.FLAG);
        }

        @Override
        public void run(long iterations, long bytes) {
            IntegerView words = bench.longs;
            long end = turn + iterations;
            if (bench.pe == 0) {
                for (long i = turn + 1; i <= end; i++) {
                    send(i, bytes);
                    words.waitUntil(BenchFixture.FLAG, Comparison.GE, i);
                }
            } else if (bench.pe == 1) {
                for (long i = turn + 1; i <= end; i++) {
                    words.waitUntil(BenchFixture.FLAG, Comparison.GE, i);
                    send(i, bytes);
                }
            }
            turn = end;
        }

        private void send(long flag, long bytes) {
            if (bytes > Long.BYTES) {
                bench.target.bytes().put(0, bench.mySource, 0, bytes, bench.peer);
                bench.context.fence();
            }
            bench.longs.put(BenchFixture.FLAG, flag, bench.peer);
        }

        @Override
        public void check(String operation, long bytes) {
            if (bench.pe > 1) {
                return;
            }
            bench.checkWord(operation, bench.longs, BenchFixture.FLAG, turn);
            if (bytes > Long.BYTES) {
                bench.checkTarget(operation, bytes, BenchFixture.valueOf(bench.peer));
            }
        }
    }

    /// Payload with a signal, which is set or added to.
    static final class PutSignal implements Loop {
        private final BenchFixture bench;
        private final SignalWord signal;
        private final SignalOperation operation;
        private long turn;

        PutSignal(BenchFixture bench, SignalOperation operation) {
            this.bench = bench;
            this.signal = bench.words.signal(BenchFixture.SIGNAL / Long.BYTES);
            this.operation = operation;
            this.turn = signal.fetch();
        }

        @Override
        public void run(long iterations, long bytes) {
            long end = turn + iterations;
            if (bench.pe == 0) {
                for (long i = turn + 1; i <= end; i++) {
                    send(i, bytes);
                    signal.waitUntil(Comparison.GE, i);
                }
            } else if (bench.pe == 1) {
                for (long i = turn + 1; i <= end; i++) {
                    signal.waitUntil(Comparison.GE, i);
                    send(i, bytes);
                }
            }
            turn = end;
        }

        private void send(long count, long bytes) {
            long value = operation == SignalOperation.SET ? count : 1;
            ByteView target = bench.target.bytes();
            target.putSignal(0, bench.mySource, 0, bytes, new SignalUpdate(signal, operation, value), bench.peer);
        }

        @Override
        public void check(String operation, long bytes) {
            checkSignalled(bench, operation, bytes, turn);
        }
    }

    /// Payload with a signal; the source must stay as it is until a later quiet, and does.
    static final class PutSignalNbi implements Loop {
        private final BenchFixture bench;
        private final SignalWord signal;
        private long turn;

        PutSignalNbi(BenchFixture bench) {
            this.bench = bench;
            this.signal = bench.words.signal(BenchFixture.SIGNAL / Long.BYTES);
            this.turn = signal.fetch();
        }

        @Override
        public void run(long iterations, long bytes) {
            long end = turn + iterations;
            if (bench.pe == 0) {
                for (long i = turn + 1; i <= end; i++) {
                    send(i, bytes);
                    signal.waitUntil(Comparison.GE, i);
                }
            } else if (bench.pe == 1) {
                for (long i = turn + 1; i <= end; i++) {
                    signal.waitUntil(Comparison.GE, i);
                    send(i, bytes);
                }
            }
            turn = end;
        }

        private void send(long count, long bytes) {
            ByteView target = bench.target.bytes();
            target.putSignalNbi(0, bench.mySource, 0, bytes, signal.setting(count), bench.peer);
        }

        @Override
        public void check(String operation, long bytes) {
            checkSignalled(bench, operation, bytes, turn);
        }
    }

    private static void checkSignalled(BenchFixture bench, String operation, long bytes, long turn) {
        if (bench.pe <= 1) {
            bench.checkWord(operation, bench.longs, BenchFixture.SIGNAL / Long.BYTES, turn);
            bench.checkTarget(operation, bytes, BenchFixture.valueOf(bench.peer));
        }
    }
}
