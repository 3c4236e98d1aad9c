// SPDX-License-Identifier: Apache-2.0

import coterie.*;
import coterie.collective.*;

/// Sums of calls and of a persistent request; prints what serves them.
public final class LayeredSums {
    private LayeredSums() {}

    static void main() {
        try (World world = World.join()) {
            Team team = world.team();
            LongView longs = world.allocate(1024).longs();
            long expected = (long) world.size() * (world.size() + 1) / 2;
            try (Request sum = team.prepare(Collective.allReduce(Reduction.SUM)
                    .source(longs, 0, 1)
                    .target(longs, 1, 1)
                    .persistent())) {
                for (int round = 0; round < 20; round++) {
                    longs.set(0, world.pe() + 1L);
                    team.allReduce(Reduction.SUM, longs, 2, longs, 0, 1);
                    sum.post();
                    sum.await();
                    team.barrier();
                    if (longs.get(1) != expected || longs.get(2) != expected) {
                        throw new AssertionError(longs.get(1) + " and " + longs.get(2) + " instead of " + expected);
                    }
                }
            }
            if (world.pe() == 0) {
                team.explain(CollectiveType.ALL_REDUCE, 8).lines().forEach(IO::println);
            }
        }
    }
}
