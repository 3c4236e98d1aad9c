// SPDX-License-Identifier: Apache-2.0
package coterie.bench.jmh;

import coterie.Comparison;
import coterie.Integers;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What single calls cost a PE that is alone: everything but the other side. With `-prof gc` they show 0 bytes
/// each.
///
/// The methods store to memory that others could see, so the compiler can't drop them; those that give something
/// return it.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LonePeBenchmark {
    private static final int LARGEST = 4096;

    private World world;
    private SymmetricMemory memory;
    private Integers bytes;
    private Integers longs;
    private MemorySegment mine;

    /// Sizes for put and get.
    @State(Scope.Thread)
    public static class Size {
        @Param({"8", "64", "4096"})
        private long bytes;
    }

    @Setup
    public void join() {
        world = World.join();
        memory = world.allocate(2 * LARGEST);
        bytes = memory.bytes();
        longs = memory.longs();
        mine = MemorySegment.ofArray(new long[LARGEST / Long.BYTES]);
    }

    @TearDown
    public void close() {
        world.close();
    }

    @Benchmark
    public void put(Size size) {
        bytes.put(0, mine, 0, size.bytes, 0);
    }

    @Benchmark
    public void get(Size size) {
        bytes.get(LARGEST, mine, 0, size.bytes, 0);
    }

    @Benchmark
    public void putLong() {
        longs.put(0, 1, 0);
    }

    @Benchmark
    public long getLong() {
        return longs.get(0, 0);
    }

    @Benchmark
    public long fetchAdd() {
        return longs.fetchAdd(0, 1, 0);
    }

    @Benchmark
    public void putFence() {
        longs.put(0, 1, 0);
        world.context().fence();
    }

    @Benchmark
    public void putQuiet() {
        longs.put(0, 1, 0);
        world.context().quiet();
    }

    /// Nothing is under way, so that there is nothing to complete.
    @Benchmark
    public void quiet() {
        world.context().quiet();
    }

    @Benchmark
    public long waitUntilSatisfied() {
        return longs.waitUntil(LARGEST / Long.BYTES, Comparison.EQ, 0);
    }

    @Benchmark
    public void barrier() {
        world.team().barrier();
    }

    @Benchmark
    public long sumOfLongs() {
        return world.team().sum(1L);
    }

    @Benchmark
    public double sumOfDoubles() {
        return world.team().sum(1.0);
    }
}
