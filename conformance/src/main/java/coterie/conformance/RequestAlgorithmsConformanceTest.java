// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RequestCalls.postAndAwait;
import static coterie.conformance.RequestCalls.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// Tests which algorithm serves a request that names one.
class RequestAlgorithmsConformanceTest {

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("an algorithm that is named serves what it can, whatever sizes the selection has for it")
    void algorithms(World world) {
        long many = 100_000;
        try (SymmetricMemory memory = world.allocate(16 * many)) {
            LongView longs = memory.longs();
            for (long count : new long[] {1, many}) {
                Collective sum = Collective.allReduce(Reduction.SUM)
                        .source(longs, 0, count)
                        .target(longs, many, count);
                Collective reduce = Collective.reduce(Reduction.SUM, 3)
                        .source(longs, 0, count)
                        .target(longs, many, count);
                Collective broadcast =
                        Collective.broadcast(1).source(longs, 0, count).target(longs, many, count);
                assertThat(served(world, sum, "rab")).isEqualTo("hier/rab");
                assertThat(served(world, sum, "split_rail")).isEqualTo("hier/split_rail");
                assertThat(served(world, sum, "ring")).isEqualTo("p2p/ring");
                assertThat(served(world, reduce, "2step")).isEqualTo("hier/2step");
                assertThat(served(world, broadcast, "2step")).isEqualTo("hier/2step");
                assertThatThrownBy(() -> served(world, sum, "2step"))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("no algorithm \"2step\"", "rab", "ring");
            }
        }
    }

    @SpmdTest(pes = 4, nodes = "a:3,b:1")
    @DisplayName("an algorithm that is named and can't do it is none that is missing: the best serves")
    void fallbacks(World world) {
        try (SymmetricMemory memory = world.allocate(64)) {
            LongView longs = memory.longs();
            Collective sum = sum(longs);
            assertThat(served(world, sum, "split_rail")).isEqualTo("hier/rab");
            Team three = world.team().splitStrided(0, 1, 3);
            if (!three.equals(Team.INVALID)) {
                Collective gather = Collective.allGather().source(longs, 0, 1).target(longs, 1, 3);
                try (Request request = three.prepare(gather.withAlgorithm("neighbor"))) {
                    assertThat(request.algorithm()).startsWith("p2p/").isNotEqualTo("p2p/neighbor");
                }
                three.close();
            }
        }
    }

    private static String served(World world, Collective collective, String name) {
        return postAndAwait(world.team(), collective.withAlgorithm(name));
    }
}
