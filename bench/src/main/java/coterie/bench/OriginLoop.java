// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

/// A loop of PE 0 alone: the others have no part in it.
abstract class OriginLoop implements Loop {
    final BenchFixture bench;

    /// Those of the last [#run], on all PEs.
    private long iterations;

    OriginLoop(BenchFixture bench) {
        this.bench = bench;
    }

    @Override
    public final void run(long iterations, long bytes) {
        this.iterations = iterations;
        if (bench.pe == 0) {
            repeat(iterations, bytes);
        }
    }

    /// The loop itself.
    abstract void repeat(long iterations, long bytes);

    final long iterations() {
        return iterations;
    }
}
