// SPDX-License-Identifier: Apache-2.0

package coterie.bench.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/// The price of measuring: what JMH reports for nothing at all, to be read beside any other figure.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EmptyBenchmark {

    /// Does nothing.
    @Benchmark
    public void nothing() {}
}
