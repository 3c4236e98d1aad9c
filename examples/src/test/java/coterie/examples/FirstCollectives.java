// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.util.concurrent.TimeUnit;

/// A healthy program in which PEs come late by themselves, if they lack the processor: the first collectives of many
/// teams, each of which opens its layers, and a request.
///
/// ```
/// FirstCollectives MILLISECONDS
/// ```
final class FirstCollectives {
    /// What PE 0 prints when all have come.
    static final String OPEN = "all PEs are here";

    /// What each prints at the end.
    static final String DONE = "all rounds done";

    private FirstCollectives() {}

    public static void main(String[] args) {
        World world = World.join();
        SymmetricMemory memory = world.allocate(1 << 12);
        long millis = Long.parseLong(args[0]);
        world.team().barrier();
        long start = System.nanoTime();
        if (world.pe() == 0) {
            System.out.println(OPEN);
        }
        long round = 0;
        while (world.team().allReduce(Reduction.MIN, isOver(start, millis)) == 0) {
            round++;
            Collective sum = Collective.allReduce(Reduction.SUM)
                    .source(memory.longs(), 0, 50)
                    .target(memory.longs(), 100, 50);
            memory.longs().set(0, round);
            try (Team copy = world.team().duplicate();
                    Request request = copy.prepare(sum)) {
                copy.allReduce(Reduction.MAX, memory.longs(), 200, memory.longs(), 0, 1);
                check(round, memory.longs().get(200));
                request.post();
                request.await();
                check(round * world.size(), memory.longs().get(100));
            }
        }
        System.out.println(DONE);
    }

    private static long isOver(long start, long millis) {
        return System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(millis) ? 1 : 0;
    }

    private static void check(long expected, long found) {
        if (expected != found) {
            throw new AssertionError(found + " instead of " + expected);
        }
    }
}
