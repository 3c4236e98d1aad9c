// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.DoubleView;
import coterie.ExtendedReduction;
import coterie.LongView;
import coterie.Reduction;
import coterie.WaitTimeoutException;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests whose data are cut into fragments.
@ExtendWith(TestSettings.class)
class FragmentsTest {
    private static final List<Setting> PIPELINES = List.of(
            Setting.TL_P2P_ALLREDUCE_SRA_PIPELINE,
            Setting.CL_HIER_ALLREDUCE_RAB_PIPELINE,
            Setting.CL_HIER_ALLREDUCE_SPLIT_RAIL_PIPELINE,
            Setting.CL_HIER_BCAST_2STEP_PIPELINE,
            Setting.CL_HIER_REDUCE_2STEP_PIPELINE);

    private static void all(String pipelining) {
        PIPELINES.forEach(each -> set(each, pipelining));
    }

    @ParameterizedTest
    @CsvSource({
        "sra, 0 0 0, thresh=0:nfrags=11:pdepth=2:sequential",
        "sra, 0 0 0, thresh=0:nfrags=11:pdepth=2:ordered",
        "sra, 0 0 0, thresh=0:nfrags=11:pdepth=2:parallel",
        "sra, 0 0 0 0 0, thresh=1k:fragsize=64k:pdepth=3:ordered",
        "sra, 0, thresh=0",
        "rab, 0 0 1 1, thresh=0:nfrags=4:pdepth=2:sequential",
        "rab, 0 0 1 1 1, thresh=0:nfrags=4:pdepth=2:ordered",
        "rab, 0 1 0 1, thresh=0:nfrags=7:pdepth=4:parallel",
        "split_rail, 0 0 1 1, thresh=0:nfrags=5:pdepth=2:sequential",
        "split_rail, 0 0 1 1 2 2, thresh=0:nfrags=5:pdepth=8:ordered",
    })
    @DisplayName(
            "UC-23 an allreduce in fragments is right in all three orders, in place and not, posted again and again")
    void allreduce(String algorithm, String nodes, String pipelining) {
        all(pipelining);
        if (!algorithm.equals("sra")) {
            set(Setting.CL_HIER_TUNE, "allreduce:@" + algorithm + ":inf");
        }
        for (boolean direct : new boolean[] {true, false}) {
            setLoadStore(direct);
            try (LocalJob job = onNodes(nodes)) {
                job.run(world -> {
                    int n = world.size();
                    for (int count : new int[] {1, 3, 6_553, 12_357}) {
                        for (boolean inPlace : new boolean[] {false, true}) {
                            LongView longs = world.allocate(2L * count * 8).longs();
                            Collective sum = Collective.allReduce(Reduction.SUM)
                                    .source(longs, 0, count)
                                    .target(longs, inPlace ? 0 : count, count)
                                    .withAlgorithm(n == 1 ? "sra" : algorithm)
                                    .persistent();
                            try (Request request = world.team().prepare(sum)) {
                                for (int round = 0; round < 3; round++) {
                                    for (int i = 0; i < count; i++) {
                                        longs.set(i, 7L * i + world.pe() + round);
                                    }
                                    request.post();
                                    request.await();
                                    for (int i = 0; i < count; i++) {
                                        assertThat(longs.get((inPlace ? 0 : count) + i))
                                                .isEqualTo(n * (7L * i + round) + n * (n - 1) / 2);
                                    }
                                }
                            }
                            longs.memory().close();
                        }
                    }
                });
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sra, n",
        "sra, thresh=0:nfrags=11:pdepth=2:ordered",
        "dbt, n",
        "ring, n",
        "rab, n",
        "rab, thresh=64k:fragsize=256k:pdepth=3:parallel",
    })
    @DisplayName("UC-23 an allreduce of 15 members and many elements is right, in place and not, posted three times")
    void fifteen(String algorithm, String pipelining) {
        all(pipelining);
        try (LocalJob job = onNodes("0 0 0 0 0 0 0 1 1 1 1 2 2 2 2")) {
            job.run(world -> {
                for (int count : new int[] {65_536, 123_567}) {
                    LongView longs = world.allocate(2L * count * 8).longs();
                    for (boolean inPlace : new boolean[] {false, true}) {
                        long target = inPlace ? 0 : count;
                        Collective sum = Collective.allReduce(Reduction.SUM)
                                .source(longs, 0, count)
                                .target(longs, target, count)
                                .withAlgorithm(algorithm)
                                .persistent();
                        try (Request request = world.team().prepare(sum)) {
                            assertThat(request.algorithm()).endsWith("/" + algorithm);
                            for (int round = 0; round < 3; round++) {
                                for (int i = 0; i < count; i++) {
                                    longs.set(i, 7L * i + world.pe() + round);
                                }
                                request.post();
                                request.await();
                                int wrong = 0;
                                for (int i = 0; i < count; i++) {
                                    wrong += longs.get(target + i) == 15 * (7L * i + round) + 15 * 7 ? 0 : 1;
                                }
                                assertThat(wrong).isZero();
                            }
                        }
                    }
                    longs.memory().close();
                }
            });
        }
    }

    private static LocalJob onNodes(String nodes) {
        return LocalJob.onNodes(
                List.of(nodes.split(" ")).stream().map(Integer::valueOf).toList());
    }

    @Test
    @DisplayName("rooted ones go in fragments, several requests at once, and what must be finished is, fragment by"
            + " fragment")
    void rooted() {
        all("thresh=0:nfrags=3:pdepth=2:ordered");
        set(Setting.CL_HIER_TUNE, "bcast:@2step:inf#reduce:@2step:inf");
        try (LocalJob job = onNodes("0 0 1 1")) {
            job.run(world -> {
                int count = 1000;
                DoubleView doubles = world.allocate(8L * count * 4).doubles();
                for (int root = 0; root < 4; root++) {
                    for (int i = 0; i < count; i++) {
                        doubles.set(i, i + world.pe());
                        doubles.set(2L * count + i, world.pe() * 1000.0 + i);
                    }
                    boolean isRoot = root == world.pe();
                    Collective reduce = Collective.reduce(ExtendedReduction.AVERAGE, root)
                            .source(doubles, 0, count)
                            .withAlgorithm("2step");
                    Collective broadcast = Collective.broadcast(root).withAlgorithm("2step");
                    List<Request> requests = new ArrayList<>();
                    requests.add(world.team().prepare(isRoot ? reduce.target(doubles, count, count) : reduce));
                    requests.add(world.team()
                            .prepare(
                                    isRoot
                                            ? broadcast.source(doubles, 2L * count, count)
                                            : broadcast.target(doubles, 2L * count, count)));
                    requests.forEach(Request::post);
                    requests.forEach(Request::await);
                    for (int i = 0; i < count; i++) {
                        assertThat(doubles.get(2L * count + i)).isEqualTo(root * 1000.0 + i);
                        assertThat(!isRoot || doubles.get(count + i) == i + 1.5).isTrue();
                    }
                    requests.forEach(Request::close);
                    world.team().barrier();
                }
            });
        }
    }

    @Test
    @DisplayName("a run waits for its event with all its fragments, and its time is that of all of them")
    void triggered() {
        all("thresh=0:nfrags=4:pdepth=4:parallel");
        try (LocalJob job = onNodes("0 0 0")) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                LongView longs = world.allocate(8 * 80).longs();
                AtomicBoolean hasHappened = new AtomicBoolean();
                Collective sum = Collective.allReduce(Reduction.SUM)
                        .source(longs, 0, 40)
                        .target(longs, 40, 40)
                        .withAlgorithm("sra");
                try (Request request = world.team().prepare(sum)) {
                    request.postWhen(hasHappened::get);
                    assertThat(request.test()).isFalse();
                    for (int i = 0; i < 40; i++) {
                        longs.set(i, i);
                    }
                    hasHappened.set(true);
                    request.await();
                    assertThat(longs.get(40 + 39)).isEqualTo(3 * 39);
                }
                Request late = world.team().prepare(sum.withTimeout(Duration.ofMillis(50)));
                if (world.pe() != 1) {
                    late.post();
                    assertThatThrownBy(late::await).isInstanceOf(WaitTimeoutException.class);
                }
                job.meet(); // the end of one would be a failure for the others
            });
            assertThat(failures).isEmpty();
        }
    }

    @Test
    @DisplayName("what can't be read ends the join, with the setting and the column")
    void misread() {
        set(Setting.TL_P2P_ALLREDUCE_SRA_PIPELINE, "thresh=0:nfrags=none");
        try (LocalJob job = onNodes("0")) {
            assertThat(job.failures(world -> {}).get(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(
                            "TL_P2P_ALLREDUCE_SRA_PIPELINE", "coterie.tl.p2p.allreduce.sra.pipeline", "column 10");
        }
    }
}
