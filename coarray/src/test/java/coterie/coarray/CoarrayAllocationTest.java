// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static coterie.testing.AllocationAssertions.assertClean;

import coterie.Reduction;
import coterie.World;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// Counts what the thread of each image allocates in the statements of its loops.
class CoarrayAllocationTest {
    private static final int BATCH = 1_000;

    @SpmdTest(pes = 2, timeoutSeconds = 180)
    @DisplayName(
            "elements of other images, by subscripts and cosubscripts too, arrays, atomics, events, locks and sync all allocate nothing")
    void cleanStatements(World world) {
        Images.run(world, scope -> {
            ImageTeam team = scope.team();
            int other = 3 - team.thisImage();
            IntegerCoarray longs = scope.allocateLongs(8);
            DoubleCoarray doubles = scope.allocateDoubles(8);
            DoubleCoarray grid = scope.allocateDoubles(
                    Shape.of(4, 3, 2).withCobounds(Cobounds.range(1, 1).from(1)));
            double[] array = new double[8];
            EventCoarray event = scope.allocateEvents(1);
            LockCoarray lock = scope.allocateLocks(1);
            Runnable statements = () -> {
                longs.put(0, 1, other);
                longs.set(1, longs.get(2, other));
                doubles.put(0, 1.5, other);
                doubles.set(1, doubles.get(2, other));
                grid.put(grid.at(4, 3, 2), grid.get(grid.at(1, 2, 1), other), grid.image(1, other));
                grid.put(0, array, 0, 8, other);
                grid.get(8, array, 0, 8, grid.image(1, other));
                longs.add(3, 1, other);
                longs.getAndAdd(3, 1, other);
                longs.compareAndExchange(4, 0, 0, other);
                event.post(0, other);
                event.await(0);
                lock.lock(0, 1);
                lock.unlock(0, 1);
                team.sync();
            };
            assertClean("the statements", mine -> world.team().allReduce(Reduction.MAX, mine), () -> {
                for (int i = 0; i < BATCH; i++) {
                    statements.run();
                }
            });
        });
    }
}
