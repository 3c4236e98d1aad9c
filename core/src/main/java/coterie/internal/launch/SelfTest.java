// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.Comparison;
import coterie.Context;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.ValueLayout;

/// A program that uses a bit of everything and checks what it gets: for `coterie doctor`, and for training
/// start-up caches.
///
/// It is part of the runtime so that it needs no class path.
public final class SelfTest {
    /// Enough for the JIT to have compiled the loop, and then some to measure.
    private static final int ROUNDS = 20_000;

    private SelfTest() {}

    /// PE 0 prints `latency <nanoseconds>`, one way from PE 0 to PE 1 and on average. A wrong result is an
    /// exception.
    ///
    /// @param args rounds of the measurement; none without
    public static void main(String[] args) {
        try (World world = World.join()) {
            operations(world);
            if (args.length > 0 && world.size() == 2) {
                exchange(world, ROUNDS); // warms up
                long nanos = exchange(world, Integer.parseInt(args[0]));
                if (world.pe() == 0) {
                    System.out.println("latency " + nanos);
                }
            }
        }
    }

    private static void operations(World world) {
        Context context = world.context();
        int me = world.pe();
        int right = (me + 1) % world.size();
        int left = (me + world.size() - 1) % world.size();
        SymmetricMemory memory = world.allocate(4 * Long.BYTES);
        context.putLong(memory, 0, 100 + me, right);
        context.fetchAdd(memory, Long.BYTES, 1, right);
        check("signal", context.waitUntil(memory, Long.BYTES, Comparison.EQ, 1), 1);
        world.team().barrier();
        check("put", memory.segment().get(ValueLayout.JAVA_LONG, 0), 100 + left);
        check("get", context.getLong(memory, 0, right), 100 + me);
        long pes = world.size();
        check("sum", world.team().sum(me), pes * (pes - 1) / 2);
        memory.close();
    }

    /// Sends a token to and fro. Returns the nanoseconds of one way.
    private static long exchange(World world, int rounds) {
        Context context = world.context();
        SymmetricMemory flag = world.allocate(Long.BYTES);
        int other = 1 - world.pe();
        long start = System.nanoTime();
        for (int round = 1; round <= rounds; round++) {
            if (world.pe() == 0) {
                context.putLong(flag, 0, round, other);
            }
            context.waitUntil(flag, 0, Comparison.EQ, round);
            if (world.pe() == 1) {
                context.putLong(flag, 0, round, other);
            }
        }
        long nanos = System.nanoTime() - start;
        flag.close();
        return nanos / (2L * rounds);
    }

    private static void check(String operation, long got, long expected) {
        if (got != expected) {
            throw new IllegalStateException("self-test: " + operation + " gave " + got + " instead of " + expected);
        }
    }
}
