// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.testing.AllocationAssertions.assertClean;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// What persistent requests allocate once they are warm; the simulator allocates by itself.
class RequestAllocationConformanceTest {
    private static final int COUNT = 10;
    private static final int RUNS = 20;

    /// One of each collective.
    private static List<Collective> all(IntegerView longs, int n) {
        int many = n * COUNT;
        long[] counts = new long[n];
        long[] indices = new long[n];
        long[] places = new long[n];
        for (int member = 0; member < n; member++) {
            counts[member] = COUNT;
            indices[member] = (long) COUNT * member;
            places[member] = many + (long) COUNT * (n - 1 - member);
        }
        Reduction sum = Reduction.SUM;
        return List.of(
                Collective.barrier(),
                Collective.fanIn(0),
                Collective.fanOut(n - 1),
                Collective.broadcast(0).source(longs, 0, COUNT).target(longs, many, COUNT),
                Collective.allReduce(sum).source(longs, 0, COUNT).target(longs, many, COUNT),
                Collective.reduce(sum, n - 1).source(longs, 0, COUNT).target(longs, many, COUNT),
                Collective.inclusiveScan(sum).source(longs, 0, COUNT).target(longs, many, COUNT),
                Collective.exclusiveScan(sum).source(longs, 0, COUNT).target(longs, many, COUNT),
                Collective.reduceScatter(sum).source(longs, 0, many).target(longs, many, COUNT),
                Collective.reduceScatterV(sum).source(longs, counts, indices).target(longs, many, COUNT),
                Collective.allGather().source(longs, 0, COUNT).target(longs, many, many),
                Collective.allGatherV().source(longs, 0, COUNT).target(longs, counts, places),
                Collective.gather(0).source(longs, 0, COUNT).target(longs, many, many),
                Collective.gatherV(0).source(longs, 0, COUNT).target(longs, counts, places),
                Collective.scatter(0).source(longs, 0, many).target(longs, many, COUNT),
                Collective.scatterV(0).source(longs, counts, indices).target(longs, many, COUNT),
                Collective.allToAll().source(longs, 0, many).target(longs, many, many),
                Collective.allToAllV().source(longs, counts, indices).target(longs, counts, places));
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 120)
    @DisplayName("UC-40 persistent requests of every collective allocate nothing, posted again and again, several under"
            + " way")
    void persistent(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(16L * COUNT * n);
                SymmetricMemory other = world.allocate(16L * COUNT * n)) {
            List<Collective> ones = all(memory.longs(), n);
            List<Collective> others = all(other.longs(), n);
            List<Request> prepared = new ArrayList<>();
            for (int i = 0; i < ones.size(); i++) {
                prepared.add(
                        world.team().prepare((i % 2 == 0 ? ones : others).get(i).persistent()));
            }
            Request[] requests = prepared.toArray(Request[]::new);
            assertClean("the requests", mine -> world.team().allReduce(Reduction.MAX, mine), () -> run(requests));
            for (Request each : requests) {
                each.close();
            }
        }
    }

    /// Two of them are under way at a time, each with memory of its own.
    private static void run(Request[] requests) {
        for (int run = 0; run < RUNS; run++) {
            for (int i = 0; i + 1 < requests.length; i += 2) {
                requests[i].post();
                requests[i + 1].post();
                requests[i + 1].await();
                while (!requests[i].test()) {
                    Thread.onSpinWait();
                }
            }
        }
    }
}
