// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

/// A loop of PE 0 whose operation gives the same number each time. What it gives is added up, so that the compiler
/// drops none of it and the check finds what is missing.
abstract class SummingLoop extends OriginLoop {
    private final long each;
    private long sum;

    /// @param each what every operation gives
    SummingLoop(BenchFixture bench, long each) {
        super(bench);
        this.each = each;
    }

    @Override
    final void repeat(long iterations, long bytes) {
        sum = repeat(iterations);
    }

    /// The loop itself. Returns the sum.
    abstract long repeat(long iterations);

    @Override
    public void check(String operation, long bytes) {
        if (bench.pe == 0 && sum != each * iterations()) {
            throw new IllegalStateException(operation + " on PE 0: what " + iterations() + " of them give adds up to "
                    + sum + ", not " + each * iterations());
        }
    }
}
