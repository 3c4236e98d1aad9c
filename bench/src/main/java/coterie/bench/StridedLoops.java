// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.LongView;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Timed loops of copies whose elements, or blocks of elements, lie apart on both sides: after each comes a gap as
/// long as itself. Elements have 8 bytes.
final class StridedLoops {
    /// How many times its payload such a copy reaches.
    static final int REACH = 2;

    /// Elements of a block, where there are blocks: a cache line.
    static final long BLOCK = 8;

    private StridedLoops() {}

    /// Copies to the peer.
    static final class Put extends OriginLoop {
        private final long block;

        /// @param block elements of a block
        Put(BenchFixture bench, long block) {
            super(bench);
            this.block = block;
        }

        @Override
        void repeat(long iterations, long bytes) {
            LongView target = bench.target.longs();
            MemorySegment source = bench.mySource;
            int peer = bench.peer;
            long block = this.block;
            long stride = REACH * block;
            long blocks = bytes / Long.BYTES / block;
            for (long i = 0; i < iterations; i++) {
                target.putStrided(0, stride, source, 0, stride, block, blocks, peer);
                VarHandle.releaseFence();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            if (bench.isTarget()) {
                checkBlocks(bench, operation, bytes, block, BenchFixture.valueOf(0));
            }
        }
    }

    /// Copies from the peer.
    static final class Get extends OriginLoop {
        private final long block;

        /// @param block elements of a block
        Get(BenchFixture bench, long block) {
            super(bench);
            this.block = block;
        }

        @Override
        void repeat(long iterations, long bytes) {
            LongView source = bench.source.longs();
            MemorySegment target = bench.myTarget;
            int peer = bench.peer;
            long block = this.block;
            long stride = REACH * block;
            long blocks = bytes / Long.BYTES / block;
            for (long i = 0; i < iterations; i++) {
                source.getStrided(0, stride, target, 0, stride, block, blocks, peer);
                VarHandle.releaseFence();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            if (bench.pe == 0) {
                checkBlocks(bench, operation, bytes, block, BenchFixture.valueOf(bench.peer));
            }
        }
    }

    private static void checkBlocks(BenchFixture bench, String operation, long bytes, long block, double value) {
        long elements = REACH * bytes / Long.BYTES;
        for (long i = 0; i <= elements; i++) {
            boolean inBlock = i < elements && i % (REACH * block) < block;
            bench.checkElement(operation, bytes, i, inBlock ? value : 0);
        }
    }
}
