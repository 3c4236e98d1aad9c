// SPDX-License-Identifier: Apache-2.0
package coterie.bench.jmh;

import coterie.AtomicOperation;
import coterie.IntegerView;
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

/// What single words of every width cost a PE that is alone, stored, loaded and changed by atomics; see
/// [LonePeBenchmark].
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LoneWordsBenchmark {
    @Param({"8", "4", "2", "1"})
    private int width;

    private World world;
    private IntegerView words;
    private MemorySegment result;

    @Setup
    public void join() {
        world = World.join();
        SymmetricMemory memory = world.allocate(128);
        words = switch (width) {
            case 1 -> memory.bytes();
            case 2 -> memory.shorts();
            case 4 -> memory.ints();
            default -> memory.longs();
        };
        result = MemorySegment.ofArray(new long[1]);
    }

    @TearDown
    public void close() {
        world.close();
    }

    @Benchmark
    public void put() {
        words.put(0, 1, 0);
    }

    @Benchmark
    public long get() {
        return words.get(0, 0);
    }

    @Benchmark
    public long getAcquire() {
        return words.getAcquire(0, 0);
    }

    @Benchmark
    public void setRelease() {
        words.setRelease(0, 1, 0);
    }

    @Benchmark
    public void add() {
        words.add(0, 1, 0);
    }

    @Benchmark
    public long getAndAdd() {
        return words.getAndAdd(0, 1, 0);
    }

    @Benchmark
    public long swap() {
        return words.getAndSet(0, 1, 0);
    }

    /// The word is 0 and stays so.
    @Benchmark
    public long compareAndExchange() {
        return words.compareAndExchange(0, 0, 0, 0);
    }

    @Benchmark
    public long getAndBitwiseXor() {
        return words.getAndBitwiseXor(0, 1, 0);
    }

    @Benchmark
    public void fetchAddNbi() {
        words.fetchNbi(AtomicOperation.ADD, 0, 1, result, 0, 0);
    }
}
