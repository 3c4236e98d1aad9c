// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Comparison;
import coterie.ElementType;
import coterie.Integers;
import coterie.SymmetricMemory;
import coterie.Team;

/// Timed loops in which PEs answer each other: the ping-pong and the collectives.
final class MeetingLoops {
    private MeetingLoops() {}

    /// bytes the flag is the payload.
    static final class PingPong implements Loop {
        private final Workbench bench;
        private long turn;

        PingPong(Workbench bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            Integers words = bench.longs;
            long end = turn + iterations;
            if (bench.pe == 0) {
                for (long i = turn + 1; i <= end; i++) {
                    send(i, bytes);
                    words.waitUntil(Workbench.FLAG, Comparison.GE, i);
                }
            } else if (bench.pe == 1) {
                for (long i = turn + 1; i <= end; i++) {
                    words.waitUntil(Workbench.FLAG, Comparison.GE, i);
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
            bench.longs.put(Workbench.FLAG, flag, bench.peer);
        }

        @Override
        public void check(long bytes) {
            if (bench.pe > 1) {
                return;
            }
            bench.checkWord(Operation.PINGPONG.label(), Workbench.FLAG, turn);
            if (bytes > Long.BYTES) {
                bench.checkTarget(Operation.PINGPONG.label(), bytes, Workbench.valueOf(bench.peer));
            }
        }
    }

    /// All PEs meet.
    record Barrier(Workbench bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            for (long i = 0; i < iterations; i++) {
                team.barrier();
            }
        }
    }

    /// All PEs add up their sources, and all get the sum.
    record Reduce(Workbench bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            SymmetricMemory source = bench.source;
            SymmetricMemory target = bench.target;
            long count = bytes / Double.BYTES;
            for (long i = 0; i < iterations; i++) {
                team.sum(ElementType.DOUBLE, target, 0, source, 0, count);
            }
        }

        @Override
        public void check(long bytes) {
            bench.checkTarget(Operation.REDUCE.label(), bytes, bench.size * (bench.size + 1) / 2.0);
        }
    }

    /// time is that of a completion, not the rate at which a root can run ahead.
    static final class Broadcast implements Loop {
        private final Workbench bench;
        private int root;

        Broadcast(Workbench bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            SymmetricMemory source = bench.source;
            SymmetricMemory target = bench.target;
            int last = root;
            for (long i = 0; i < iterations; i++) {
                last = last + 1 == bench.size ? 0 : last + 1;
                team.broadcast(target, 0, source, 0, bytes, last);
            }
            root = last;
        }

        @Override
        public void check(long bytes) {
            bench.checkTarget(Operation.BCAST.label(), bytes, Workbench.valueOf(root));
        }
    }
}
