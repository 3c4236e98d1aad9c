// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

/// A loop of all PEs at once.
abstract class ContendedLoop implements Loop {
    private static final long CHECKED = 1000;

    final BenchFixture bench;

    ContendedLoop(BenchFixture bench) {
        this.bench = bench;
    }

    /// Counts anew: the value of the word at the start of the last run is unknown, since no PE waited for another.
    @Override
    public final void check(String operation, long bytes) {
        if (bench.pe == 0) {
            bench.longs.put(BenchFixture.WORD, 0, 0);
        }
        bench.team.barrier();
        count(CHECKED);
        bench.team.barrier();
        if (bench.pe == 0) {
            bench.checkWord(operation, bench.longs, CHECKED * bench.size);
        }
    }

    /// Adds 1 to the word of PE 0 so many times.
    abstract void count(long times);
}
