// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.mapped.HeapAddresses;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whose memory can be loaded and stored.
@ExtendWith(TestSettings.class)
class NodeConduitTest {
    private static final List<Integer> NODES = List.of(0, 0, 1, 0, 2, 1);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whomIReachReachesMeAndWhomIReach(boolean direct) {
        try (JobSegment job = job(NODES)) {
            for (int me = 0; me < NODES.size(); me++) {
                try (Conduit conduit = conduit(job, me, direct)) {
                    for (int pe = 0; pe < NODES.size(); pe++) {
                        boolean near = pe == me || (direct && NODES.get(pe).equals(NODES.get(me)));
                        long place = job.syncBase(pe);
                        assertThat(conduit.directBase(Region.SYNC, pe)).isEqualTo(near ? place : 0);
                        assertThat(conduit.remoteBase(Region.SYNC, pe)).isEqualTo(place);
                    }
                }
            }
        }
    }

    @Test
    void onOneNodeAllAreNear() {
        try (JobSegment job = job(Collections.nCopies(3, 0))) {
            assertThat(near(job, 1, true).cardinality()).isEqualTo(3);
            assertThat(near(job, 1, false).stream()).containsExactly(1);
        }
    }

    @Test
    void segmentsOfMyNodeAreThereAndNoOthers() {
        setLoadStore(true);
        try (LocalJob job = LocalJob.onNodes(NODES)) {
            job.run(world -> {
                try (var memory = world.allocate(64)) {
                    int me = world.pe();
                    assertThat(IntStream.range(0, world.size())
                                    .filter(pe -> memory.segment(pe).isPresent())
                                    .boxed())
                            .isEqualTo(IntStream.range(0, world.size())
                                    .filter(pe -> NODES.get(pe).equals(NODES.get(me)))
                                    .boxed()
                                    .toList());
                    assertThat(IntStream.range(0, world.size())).allMatch(memory::isAccessible);
                }
            });
        }
    }

    private static Conduit conduit(JobSegment job, int me, boolean direct) {
        return new NodeConduit(job, me, new HeapAddresses(job.size()), near(job, me, direct));
    }

    private static JobSegment job(List<Integer> nodes) {
        return JobSegment.create(new JobSegment.Parameters("test", nodes.size(), 64 << 20, 2, true, nodes));
    }

    private static BitSet near(JobSegment job, int me, boolean direct) {
        return NodeConduit.near(new SegmentJob(job, me, "PE " + me), direct);
    }
}
