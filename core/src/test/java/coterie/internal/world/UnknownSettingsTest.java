// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.layer.HallLayer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Misspelt names of settings.
class UnknownSettingsTest {
    private final UnknownSettings names = new UnknownSettings(List.of(new HallLayer()));

    @AfterEach
    void asBefore() {
        System.clearProperty("coterie.tsl");
        System.clearProperty(Setting.TUNE_STRICT.property());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            coterie.tsl          | '; the nearest is coterie.tls'
            coterie.TLS          | '; the nearest is coterie.tls'
            coterie.tl.p2p.tunne | '; the nearest is coterie.tl.p2p.tune'
            coterie.tl.hal.most  | '; the nearest is coterie.tl.hall.most'
            coterie.tl.hall.x    | ''
            coterie.load.stor      | '; the nearest is coterie.load.store'
            """)
    @DisplayName("a property that is none is reported with the nearest that is one")
    void properties(String property, String nearest) {
        assertThat(names.remarks(List.of(property), List.of(), Map.of()))
                .containsExactly("system property " + property + " sets nothing: there is no such setting" + nearest
                        + "; 'coterie info --config' lists them all");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            TL_P2P_TUNNE   | '; the nearest is COTERIE_TL_P2P_TUNE'
            TL_MAPED_TUNE  | '; the nearest is COTERIE_TL_MAPPED_TUNE'
            CLS            | '; the nearest is COTERIE_TLS'
            CL_HIER_WIDE   | ''
            CONFIG_FIEL    | '; the nearest is COTERIE_CONFIG_FILE'
            """)
    @DisplayName("so are variables of the environment and lines of the file")
    void variables(String name, String nearest) {
        String told = " sets nothing: there is no such setting" + nearest + "; 'coterie info --config' lists them all";
        assertThat(names.remarks(List.of(), List.of("COTERIE_" + name), Map.of()))
                .containsExactly("environment variable COTERIE_" + name + told);
        Map<String, ConfigurationFile.Entry> file =
                Map.of(name, new ConfigurationFile.Entry("", Path.of("coterie.conf"), 3));
        assertThat(names.remarks(List.of(), List.of(), file)).containsExactly("coterie.conf:3: COTERIE_" + name + told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PE",
                "SIZE",
                "LOCAL_PE",
                "LOCAL_SIZE",
                "SEGMENT",
                "JAVA_HOME",
                "SIGNALS",
                "PE_CACHE",
                "DIST",
                "BUILD",
                "QUICK",
                "BENCH",
                "NAME",
                "SOAK",
                "JUNIT_MODES",
                "SIM_SEED",
                "SIM_SEEDS",
                "SIM_SCRIPT",
                "TEST_FOLDER",
                "TEST_MARKER",
                "TL_SOCKETS_TUNE",
                "TL_SOCKETS_HOST",
                "CL_LADDER_TUNE",
                "TL_HALL_MOST",
                "TL_HALL_TUNE"
            })
    @DisplayName("no remark names settings, or names of launchers, tests and absent layers")
    void othersNames(String name) {
        String property = "coterie." + name.toLowerCase(java.util.Locale.ROOT).replace('_', '.');
        assertThat(names.remarks(List.of(property), List.of("COTERIE_" + name), Map.of()))
                .isEmpty();
        for (Setting each : Setting.values()) {
            assertThat(names.remarks(List.of(each.property()), List.of(each.variable()), Map.of()))
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("strict settings end the join for a misspelt name")
    void strict() {
        System.setProperty("coterie.tsl", "p2p");
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> world.team().sync());
        }
        System.setProperty(Setting.TUNE_STRICT.property(), "true");
        try (LocalJob job = new LocalJob(1)) {
            assertThat(job.failures(world -> world.team().sync()).get(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("system property coterie.tsl sets nothing");
        }
    }
}
