// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// How far apart the two processors are at this moment: a bare ping-pong of cache lines between PEs 0 and 1, in a
/// file that both map, outside the system that is measured.
///
/// A virtual machine's processors may be two threads of one core, two cores of one cache or of two, and move from
/// one second to the next, which changes every small latency up to ten-fold. Benchmarks that stand beside each
/// other must compare like with like: they count a repetition where the probes before and after it lie in one
/// range.
///
/// ```
/// byte 0            256           512             4096
///      │ PE 0's word │ PE 1's word │ unused        │
/// ```
final class Probe {
    private static final VarHandle WORD = JAVA_LONG.varHandle();
    private static final long FILE_BYTES = 4096;
    private static final long STRIDE = 32 * Long.BYTES;

    private static final int HOPS = 300;
    private static final int UNTIMED_HOPS = 30;

    /// For the untimed hops, which take microseconds if both PEs run all the while. Otherwise the hops take time
    /// slices, and their mean says so as well as that of all hops would.
    private static final long SLOW_NANOS = 10_000_000;

    /// In the place of a turn: there is no further one. More than all turns of a run.
    private static final long LAST = 1L << 40;

    /// Until the loop below runs as compiled code: some tens of thousands of hops.
    private static final int WARM_UP_PROBES = 600;

    /// They take a tenth of a second, unless others want the processors too: each hop to a PE that is not running
    /// takes the system's time slice, and nothing would be gained.
    private static final long WARM_UP_NANOS = 2_000_000_000;

    /// How long a run waits for its range before it takes what it gets.
    private static final long PATIENCE_NANOS = 2_000_000_000;

    private static final long PAUSE_NANOS = 30_000_000;

    private final BenchFixture bench;
    private final @Nullable MemorySegment cells;
    private final double least;
    private final double most;

    private Probe(BenchFixture bench, @Nullable MemorySegment cells, double least, double most) {
        this.bench = bench;
        this.cells = cells;
        this.least = least;
        this.most = most;
    }

    /// The probe that the environment asks for: `BENCH_PROBE` names the file, `BENCH_MODE_NS` the range,
    /// `least:most` in nanoseconds. Without a file, or with other than two PEs, it is none: everything lies in its
    /// range.
    ///
    /// **Collective**: warms up and waits for the range.
    static Probe open(BenchFixture bench, Map<String, String> environment) throws IOException {
        String file = environment.get("BENCH_PROBE");
        if (file == null || file.isEmpty() || bench.size != 2) {
            return new Probe(bench, null, 0, Double.MAX_VALUE);
        }
        String[] range = environment.getOrDefault("BENCH_MODE_NS", "0:1e9").split(":");
        if (range.length != 2) {
            throw new IllegalArgumentException(
                    "BENCH_MODE_NS is \"" + String.join(":", range) + "\", least:most in nanoseconds is needed");
        }
        MemorySegment cells;
        try (FileChannel channel = FileChannel.open(
                Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            cells = channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, Arena.ofAuto());
        }
        WORD.setVolatile(cells, STRIDE * bench.pe, 0L);
        bench.team.barrier();
        Probe probe = new Probe(bench, cells, Double.parseDouble(range[0]), Double.parseDouble(range[1]));
        long begin = System.nanoTime();
        for (int i = 0; i < WARM_UP_PROBES && bench.agree(System.nanoTime() - begin < WARM_UP_NANOS); i++) {
            probe.nanos();
        }
        long warm = System.nanoTime();
        while (!bench.agree(probe.isInRange(probe.nanos()) || System.nanoTime() - warm > PATIENCE_NANOS)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return probe;
    }

    /// Whether there is anything to gate by.
    boolean isOpen() {
        return cells != null;
    }

    /// Whether a repetition beside a probe of so many nanoseconds counts.
    boolean isInRange(double nanos) {
        return cells == null || (nanos >= least && nanos <= most);
    }

    /// One-way latency of a cache line right now, in nanoseconds; 0 without a probe. **Collective.**
    double nanos() {
        if (cells == null) {
            return 0;
        }
        bench.team.barrier();
        return bounce(cells, STRIDE * bench.pe, STRIDE * (1 - bench.pe), bench.pe == 0);
    }

    /// Polls without pause and outside the runtime: this measures the machine, in the way of the other benchmarks'
    /// probe.
    private static double bounce(MemorySegment cells, long mine, long other, boolean first) {
        long begin = System.nanoTime();
        long start = begin;
        long turn = (long) WORD.getAcquire(cells, mine);
        for (int hop = 0; hop < HOPS + UNTIMED_HOPS; hop++) {
            turn++;
            if (hop == UNTIMED_HOPS) {
                start = System.nanoTime();
                if (first && start - begin > SLOW_NANOS) {
                    WORD.setRelease(cells, mine, turn + LAST);
                    return (start - begin) / (2.0 * UNTIMED_HOPS);
                }
            }
            if (first) {
                WORD.setRelease(cells, mine, turn);
            }
            long seen;
            do {
                seen = (long) WORD.getAcquire(cells, other);
            } while (seen < turn);
            if (!first) {
                WORD.setRelease(cells, mine, seen); // where the next probe begins, if it is the last turn
                if (seen > turn) {
                    return (System.nanoTime() - begin) / (2.0 * hop);
                }
            }
        }
        return (System.nanoTime() - start) / (2.0 * HOPS);
    }
}
