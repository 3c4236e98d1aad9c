// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.ByteView;
import coterie.Context;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Timed loops of operations that copy: put and get.
///
/// A copy of a few bytes ends as a plain store, and of such stores to one place the compiler would keep only a
/// loop's last: a release fence, no instruction on x86-64, makes it keep them all.
final class CopyLoops {
    /// Operations between two completions.
    static final int WINDOW = 64;

    private CopyLoops() {}

    /// Copies to the peer.
    static final class Put extends OriginLoop {
        Put(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            ByteView target = bench.target.bytes();
            MemorySegment source = bench.mySource;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                target.put(0, source, 0, bytes, peer);
                VarHandle.releaseFence();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkPut(operation, bytes);
        }
    }

    /// Copies to the peer, and completes each copy: all PEs can see it.
    static final class PutQuiet extends OriginLoop {
        PutQuiet(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            Context context = bench.context;
            ByteView target = bench.target.bytes();
            MemorySegment source = bench.mySource;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                target.put(0, source, 0, bytes, peer);
                context.quiet();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkPut(operation, bytes);
        }
    }

    /// Starts a window of copies to the peer, and then completes them.
    static final class PutWindow extends OriginLoop {
        PutWindow(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            Context context = bench.context;
            ByteView target = bench.target.bytes();
            MemorySegment source = bench.mySource;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                for (int message = 0; message < WINDOW; message++) {
                    target.putNbi(0, source, 0, bytes, peer);
                    VarHandle.releaseFence();
                }
                context.quiet();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkPut(operation, bytes);
        }
    }

    /// Copies from the peer.
    static final class Get extends OriginLoop {
        Get(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            ByteView source = bench.source.bytes();
            MemorySegment target = bench.myTarget;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                source.get(0, target, 0, bytes, peer);
                VarHandle.releaseFence();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkGet(operation, bytes);
        }
    }

    /// Starts a window of copies from the peer, and then completes them.
    static final class GetWindow extends OriginLoop {
        GetWindow(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            Context context = bench.context;
            ByteView source = bench.source.bytes();
            MemorySegment target = bench.myTarget;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                for (int message = 0; message < WINDOW; message++) {
                    source.getNbi(0, target, 0, bytes, peer);
                    VarHandle.releaseFence();
                }
                context.quiet();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkGet(operation, bytes);
        }
    }
}
