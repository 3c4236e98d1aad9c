// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;

/// Allreduces whose results are known.
final class Sums implements AutoCloseable {
    private final SymmetricMemory memory;
    private final IntegerView longs;
    private final long half;

    /// @param most bytes that are summed up
    Sums(World world, long most) {
        memory = world.allocate(2 * most);
        longs = memory.longs();
        half = most / Long.BYTES;
    }

    /// Sums up by a request and by a call, and checks both. Returns the name of the algorithm that served the
    /// request.
    String check(Team team, long bytes) {
        long count = bytes / Long.BYTES;
        prepare(team, count);
        Collective sum =
                Collective.allReduce(Reduction.SUM).source(longs, 0, count).target(longs, half, count);
        String served = RequestCalls.postAndAwait(team, sum);
        checkSums(team, count, served);
        prepare(team, count);
        call(team, bytes);
        checkSums(team, count, "a call");
        return served;
    }

    /// The same by a call, unchecked.
    void call(Team team, long bytes) {
        team.allReduce(Reduction.SUM, longs, half, longs, 0, bytes / Long.BYTES);
    }

    private void prepare(Team team, long count) {
        for (long i = 0; i < count; i += step(count)) {
            longs.set(i, (i + 1) * (team.member() + 1));
            longs.set(half + i, -1);
        }
        team.barrier();
    }

    private void checkSums(Team team, long count, String by) {
        long ones = team.size() * (team.size() + 1L) / 2;
        for (long i = 0; i < count; i += step(count)) {
            assertThat(longs.get(half + i))
                    .as("element %d of %d by %s", i, count, by)
                    .isEqualTo((i + 1) * ones);
        }
    }

    /// From one element that is looked at to the next: a few of each member's share.
    private static long step(long count) {
        return Math.max(1, count / 61);
    }

    @Override
    public void close() {
        memory.close();
    }
}
