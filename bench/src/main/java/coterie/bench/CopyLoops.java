// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Context;
import coterie.Integers;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Timed loops of operations that copy: put and get.
///
/// A copy of a few bytes ends as a plain store, and of such stores to one place the compiler would keep only a
/// loop's last: a release fence, no instruction on x86-64, makes it keep them all.
final class CopyLoops {
    /// Operations between two completions in the bandwidth loops.
    static final int WINDOW = 64;

    private CopyLoops() {}

    /// PE 0 copies to its peer.
    record Put(Workbench bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            if (bench.pe != 0) {
                return;
            }
            Integers target = bench.target.bytes();
            MemorySegment source = bench.mySource;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                target.put(0, source, 0, bytes, peer);
                VarHandle.releaseFence();
            }
        }

        @Override
        public void check(long bytes) {
            checkPut(bench, Operation.PUT, bytes);
        }
    }

    /// PE 0 copies to its peer, and waits each time until everybody can see it.
    record PutQuiet(Workbench bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            if (bench.pe != 0) {
                return;
            }
            Context context = bench.context;
            Integers target = bench.target.bytes();
            MemorySegment source = bench.mySource;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                target.put(0, source, 0, bytes, peer);
                context.quiet();
            }
        }

        @Override
        public void check(long bytes) {
            checkPut(bench, Operation.PUT_QUIET, bytes);
        }
    }

    /// PE 0 copies a window of messages to its peer, and then completes them.
    record PutWindow(Workbench bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            if (bench.pe != 0) {
                return;
            }
            Context context = bench.context;
            Integers target = bench.target.bytes();
            MemorySegment source = bench.mySource;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                for (int message = 0; message < WINDOW; message++) {
                    target.put(0, source, 0, bytes, peer);
                    VarHandle.releaseFence();
                }
                context.quiet();
            }
        }

        @Override
        public void check(long bytes) {
            checkPut(bench, Operation.PUT_BW, bytes);
        }
    }

    /// PE 0 copies from its peer.
    record Get(Workbench bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            if (bench.pe != 0) {
                return;
            }
            Integers source = bench.source.bytes();
            MemorySegment target = bench.myTarget;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                source.get(0, target, 0, bytes, peer);
                VarHandle.releaseFence();
            }
        }

        @Override
        public void check(long bytes) {
            checkGet(bench, Operation.GET, bytes);
        }
    }

    /// PE 0 copies a window of messages from its peer.
    record GetWindow(Workbench bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            if (bench.pe != 0) {
                return;
            }
            Context context = bench.context;
            Integers source = bench.source.bytes();
            MemorySegment target = bench.myTarget;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                for (int message = 0; message < WINDOW; message++) {
                    source.get(0, target, 0, bytes, peer);
                    VarHandle.releaseFence();
                }
                context.quiet();
            }
        }

        @Override
        public void check(long bytes) {
            checkGet(bench, Operation.GET_BW, bytes);
        }
    }

    private static void checkPut(Workbench bench, Operation operation, long bytes) {
        if (bench.isTarget()) {
            bench.checkTarget(operation.label(), bytes, Workbench.valueOf(0));
        }
    }

    private static void checkGet(Workbench bench, Operation operation, long bytes) {
        if (bench.pe == 0) {
            bench.checkTarget(operation.label(), bytes, Workbench.valueOf(bench.peer));
        }
    }
}
