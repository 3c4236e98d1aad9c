// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import static coterie.internal.component.ComponentRegistryTest.chosen;
import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.world.LayerSettings;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What settings select in the runtime's own layers, and what diagnostics they cause.
@ExtendWith(TestSettings.class)
class ComponentTunesTest {
    @Test
    @DisplayName("each layer has a setting for its tuning string, and reports what can't be used")
    void everyLayerIsTuned() {
        for (Setting tune :
                List.of(Setting.TL_SELF_TUNE, Setting.TL_MAPPED_TUNE, Setting.TL_P2P_TUNE, Setting.CL_HIER_TUNE)) {
            set(tune, "nonsense:5");
        }
        assertThat(LayerSettings.remarks(LayerSettings.registry(), 4))
                .hasSameSizeAs(ComponentRegistry.names())
                .allSatisfy(remark -> assertThat(remark).contains("_TUNE (from coterie.", "nonsense"));
    }

    @Test
    @DisplayName("a token that can't be used is reported with its column, and strict settings refuse it")
    void findings() {
        set(Setting.TL_MAPPED_TUNE, "bcast:0-4k:@push#fanout:5#bcst:9");
        ComponentRegistry registry = LayerSettings.registry();
        assertThat(LayerSettings.remarks(registry, 4))
                .hasSize(2)
                .anySatisfy(remark -> assertThat(remark)
                        .startsWith("setting TL_MAPPED_TUNE (from coterie.tl.mapped.tune), column 27:")
                        .contains("\"bcst"))
                .anySatisfy(remark -> assertThat(remark).contains("column 18", "has no effect"));
        set(Setting.TUNE_STRICT, "true");
        try (LocalJob job = new LocalJob(1)) {
            assertThat(job.failures(world -> world.team().sync()).get(0)).hasMessageContaining("bcst");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        CL_HIER_TUNE   | 2 | allreduce:host#gather:50#bcast:[2]:5 | 1 16 26
        CL_HIER_TUNE   | 1 | bcast:5#allreduce:@split_rail:[3-inf]#allgather:0-8m:3 |
        CL_HIER_TUNE   | 4 | bcast:8k-1m:5#allreduce:[5-9]:7 | 1 15
        TL_SELF_TUNE   | 4 | allreduce:[2]:5#bcast:[1-4]:5#gather:cuda | 1 31
        TL_MAPPED_TUNE | 4 | allreduce:[16-inf]:@partitioned#bcast:[4-inf]:0#bcast:[5]:7 | 1 49
        TL_MAPPED_TUNE | 4 | alltoall:8193-inf:@bounce#allreduce:49-99:@inline:5#allgather:193-200:@inline | 1 27 53
        TL_MAPPED_TUNE | 4 | allgather:150-192:@inline#allgather:[2]:193-194:@bounce |
        TL_MAPPED_TUNE | 1 | allgather:150-192:@inline | 1
        TL_P2P_TUNE    | 2 | allreduce:[16-inf]:@ring#allreduce:cuda#bcast:rocm:5 | 1 26 41
        """)
    @DisplayName("a token that changes nothing on any team of the world is reported with its column")
    void idleTokens(Setting tune, int size, String text, String columns) {
        set(tune, text);
        assertThat(LayerSettings.remarks(LayerSettings.registry(), size))
                .extracting(remark -> remark.replaceAll(".*, column ([0-9]+): .*", "$1"))
                .containsExactly(columns == null ? new String[0] : columns.split(" "));
    }

    @Test
    @DisplayName("what changes nothing on any team keeps strict worlds from opening, whichever layer it addresses")
    void strictTokens() {
        set(Setting.TUNE_STRICT, "true");
        set(Setting.CL_HIER_TUNE, "allreduce:host#fanin:50");
        try (LocalJob job = LocalJob.onNodes(List.of(0, 0, 1, 1))) {
            assertThat(job.failures(world -> world.team().sync()).get(0))
                    .hasMessageContainingAll(
                            "setting CL_HIER_TUNE (from coterie.cl.hier.tune), column 1: \"allreduce:host\" has no"
                                    + " effect",
                            "column 16: \"fanin:50\" has no effect");
        }
        set(Setting.CL_HIER_TUNE, "allreduce:@rab:60");
        set(Setting.TLS, "^sharp");
        try (LocalJob job = LocalJob.onNodes(List.of(0, 0, 1, 1))) {
            assertThat(job.failures(world -> world.team().sync()).get(0))
                    .hasMessageContaining("setting TLS (from coterie.tls), column 2: \"sharp\" has no effect");
        }
        set(Setting.TLS, "^self");
        try (LocalJob job = LocalJob.onNodes(List.of(0, 0, 1, 1))) {
            job.run(world -> assertThat(chosen(world.team(), CollectiveType.ALL_REDUCE, 100))
                    .isEqualTo("hier/rab"));
        }
    }

    @Test
    @DisplayName("settings may exclude absent layers, and must not require them; both errors have the place")
    void listOfLayers() {
        set(Setting.TLS, "^sharp,mapped");
        assertThat(LayerSettings.remarks(LayerSettings.registry(), 2))
                .containsExactly("setting TLS (from coterie.tls), column 2: \"sharp\" has no effect: no layer has"
                        + " this name; allowed: hier, mapped, p2p, self");
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> assertThat(chosen(world.team(), CollectiveType.BROADCAST, 8))
                    .isEqualTo("p2p/inline"));
        }
        set(Setting.TLS, "sharp");
        assertThatThrownBy(LayerSettings::registry)
                .hasMessageStartingWith("setting TLS (from coterie.tls), column 1: \"sharp\" is not a layer");
    }

    @Test
    @DisplayName("algorithms for flat teams are not named on a team that synchronizes along a tree, and"
            + " plans, which serve its requests, come last")
    void waysOfFlatTeams() {
        ComponentRegistry registry = Registries.of("all", Map.of("p2p", "bcast:@inline:200#allreduce:@sra:inf"));
        TeamTopology tree = new TeamTopology(8, List.of(), true, false);
        assertThat(registry.scoreMap(tree)
                        .explain(CollectiveType.BROADCAST, MemoryType.HOST, 8)
                        .candidates())
                .extracting(Explanation.Candidate::algorithm)
                .startsWith("push")
                .doesNotContain("inline", "oneway", "bounce");
        assertThat(registry.scoreMap(tree)
                        .explain(CollectiveType.ALL_REDUCE, MemoryType.HOST, 8)
                        .candidates())
                .extracting(Explanation.Candidate::algorithm)
                .startsWith("sra", "partitioned");
    }

    @Test
    @DisplayName("an algorithm that needs equally many members on all nodes is not named where their numbers differ")
    void waysOfEvenNodes() {
        ComponentRegistry registry = Registries.of("all", Map.of("hier", "allreduce:@split_rail:inf"));
        for (List<Integer> nodes : List.of(List.of(0, 0, 1, 1), List.of(0, 0, 1))) {
            TeamTopology topology = TeamTopology.of(nodes.size(), nodes::get, false, true);
            assertThat(registry.scoreMap(topology)
                            .explain(CollectiveType.ALL_REDUCE, MemoryType.HOST, 1 << 20)
                            .toString()
                            .contains("split_rail"))
                    .isEqualTo(nodes.size() == 4);
        }
    }

    @Test
    @DisplayName("UCC's names for algorithms are known, where the algorithm is one of the runtime's")
    void namesOfUcc() {
        set(Setting.TL_P2P_TUNE, "allreduce:@SRA_knomial:inf#bcast:@sag_knomial:inf");
        assertThat(LayerSettings.remarks(LayerSettings.registry(), 4)).isEmpty();
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                assertThat(chosen(world.team(), CollectiveType.ALL_REDUCE, 100)).isEqualTo("p2p/sra");
                assertThat(chosen(world.team(), CollectiveType.BROADCAST, 100)).isEqualTo("p2p/sag");
            });
        }
    }
}
