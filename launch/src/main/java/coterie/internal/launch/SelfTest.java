// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.Comparison;
import coterie.DoubleView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.internal.kernel.KernelChoice;
import java.lang.foreign.MemorySegment;

/// A program that uses the main operations and checks their results: for `coterie doctor`, and for recording
/// start-up caches.
///
/// It is part of the runtime so that it needs no class path.
public final class SelfTest {
    /// Rounds before the measurement, enough for the JIT to have compiled the loop.
    private static final int ROUNDS = 20_000;

    private SelfTest() {}

    /// Throws an exception if an operation has a wrong result. With an argument and two PEs, PE 0 prints two
    /// lines. `latency <nanoseconds>` is the average time of a message in one direction. `reductions <kernels>`
    /// names the kernels that compute reductions.
    ///
    /// @param args the number of rounds to measure; empty for no measurement
    public static void main(String[] args) {
        try (World world = World.join()) {
            operations(world);
            if (args.length > 0 && world.size() == 2) {
                reduction(world); // not in start-up caches: few programs begin with one
                exchange(world, ROUNDS); // before the measurement, for the JIT
                long nanos = exchange(world, Integer.parseInt(args[0]));
                if (world.pe() == 0) {
                    System.out.println("latency " + nanos);
                    System.out.println("reductions " + KernelChoice.made().because());
                }
            }
        }
    }

    private static void operations(World world) {
        int me = world.pe();
        int right = (me + 1) % world.size();
        int left = (me + world.size() - 1) % world.size();
        SymmetricMemory memory = world.allocate(4 * Long.BYTES);
        LongView longs = memory.longs();
        SignalWord arrived = memory.signal(1);
        longs.put(0, 100 + me, right);
        arrived.add(1, right);
        check("signal", arrived.waitUntil(Comparison.EQ, 1), 1);
        world.team().barrier();
        check("put", longs.get(0), 100 + left);
        check("get", longs.get(0, right), 100 + me);
        long[] words = {200 + me};
        longs.put(2, MemorySegment.ofArray(words), 0, 1, right);
        world.context().quiet();
        longs.get(2, MemorySegment.ofArray(words), 0, 1, right);
        check("put and get of a block", words[0], 200 + me);
        long pes = world.size();
        check("sum", world.team().sum(me), pes * (pes - 1) / 2);
        memory.close();
    }

    private static void reduction(World world) {
        int count = 100;
        SymmetricMemory memory = world.allocate(2L * count * Double.BYTES);
        DoubleView doubles = memory.doubles();
        for (int i = 0; i < count; i++) {
            doubles.set(count + i, world.pe() + i);
        }
        world.team().allReduce(Reduction.MAX, doubles, 0, doubles, count, count);
        for (int i = 0; i < count; i++) {
            check("greatest", (long) doubles.get(i), world.size() - 1 + i);
        }
        memory.close();
    }

    /// Two PEs send a token back and forth. Returns the average nanoseconds of one direction.
    private static long exchange(World world, int rounds) {
        SymmetricMemory memory = world.allocate(Long.BYTES);
        LongView flag = memory.longs();
        int other = 1 - world.pe();
        long start = System.nanoTime();
        for (int round = 1; round <= rounds; round++) {
            if (world.pe() == 0) {
                flag.put(0, round, other);
            }
            flag.waitUntil(0, Comparison.EQ, round);
            if (world.pe() == 1) {
                flag.put(0, round, other);
            }
        }
        long nanos = System.nanoTime() - start;
        memory.close();
        return nanos / (2L * rounds);
    }

    private static void check(String operation, long got, long expected) {
        if (got != expected) {
            throw new IllegalStateException("self-test: " + operation + " gave " + got + " instead of " + expected);
        }
    }
}
