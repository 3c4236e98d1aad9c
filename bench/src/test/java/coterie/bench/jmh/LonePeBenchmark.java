// SPDX-License-Identifier: Apache-2.0
package coterie.bench.jmh;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.WaitSet;
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
    private static final int LARGEST = 64 << 20;

    /// Elements of a strided copy.
    private static final int STRIDED = 512;

    private static final int SET_SIZE = 16;

    private World world;
    private SymmetricMemory memory;
    private SymmetricMemory flags;
    private IntegerView bytes;
    private IntegerView longs;
    private IntegerView words;
    private SignalWord signal;
    private SymmetricLock lock;
    private WaitSet set;
    private MemorySegment mine;

    /// Sizes for put and get: each size class, those in which a copy's entry costs most in detail.
    @State(Scope.Thread)
    public static class Size {
        @Param({"8", "64", "128", "256", "512", "4096", "32768", "262144", "1048576", "8388608", "67108864"})
        private long bytes;
    }

    @Setup
    public void join() {
        world = World.join();
        memory = world.allocate(2L * LARGEST);
        flags = world.allocate(4096);
        bytes = memory.bytes();
        longs = memory.longs();
        words = flags.longs();
        signal = flags.signal(128);
        lock = flags.lock(256);
        set = words.waitSet(0, SET_SIZE);
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
    public void putSignal(Size size) {
        bytes.putSignal(0, mine, 0, size.bytes, signal.setting(1), 0);
    }

    @Benchmark
    public void putStrided() {
        longs.putStrided(0, 2, mine, 0, 2, 1, STRIDED, 0);
    }

    @Benchmark
    public void getStrided() {
        longs.getStrided(0, 2, mine, 0, 2, 1, STRIDED, 0);
    }

    @Benchmark
    public void putStridedBlocks() {
        longs.putStrided(0, 16, mine, 0, 16, 8, STRIDED / 8, 0);
    }

    @Benchmark
    public void putFence() {
        words.put(SET_SIZE, 1, 0);
        world.context().fence();
    }

    @Benchmark
    public void putQuiet() {
        words.put(SET_SIZE, 1, 0);
        world.context().quiet();
    }

    /// Nothing is under way, so that there is nothing to complete.
    @Benchmark
    public void quiet() {
        world.context().quiet();
    }

    @Benchmark
    public void signalAdd() {
        signal.add(1, 0);
    }

    @Benchmark
    public long waitUntilSatisfied() {
        return words.waitUntil(0, Comparison.EQ, 0);
    }

    @Benchmark
    public boolean test() {
        return words.test(0, Comparison.EQ, 0);
    }

    /// None of 16 holds, so that all are looked at.
    @Benchmark
    public int testAny() {
        return set.testAny(Comparison.NE, 0);
    }

    @Benchmark
    public void lockUnlock() {
        lock.lock();
        lock.unlock();
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
