// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.internal.layer.HallLayer;
import coterie.internal.layer.Plugged;
import coterie.internal.layer.SettingSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Settings in a file.
@ExtendWith(TestSettings.class)
class ConfigurationFileTest {
    @TempDir
    Path folder;

    private Path file(String... lines) throws IOException {
        Path file = Files.write(folder.resolve("coterie.conf"), List.of(lines));
        set(Setting.CONFIG_FILE, file.toString());
        return file;
    }

    @Test
    @DisplayName("UC-11 a file's settings are in force, with their line; a property wins, and so does no file")
    void fileIsApplied() throws IOException {
        Path file = file("# layers", "", "  COTERIE_TLS = p2p ", "COTERIE_TL_P2P_TUNE=allreduce:64k-inf:@ring#bcast:5");
        assertThat(Setting.TLS.value()).isEqualTo("p2p");
        assertThat(Setting.TLS.origin()).isEqualTo(file + ":3");
        assertThat(Setting.TL_P2P_TUNE.value()).isEqualTo("allreduce:64k-inf:@ring#bcast:5");
        assertThat(Setting.SPINS.origin()).isEqualTo("default");
        set(Setting.TLS, "all");
        assertThat(Setting.TLS.value()).isEqualTo("all");
        assertThat(Setting.TLS.origin()).isEqualTo("coterie.tls");
        System.clearProperty(Setting.TLS.property());
        set(Setting.CONFIG_FILE, "");
        assertThat(Setting.TLS.value()).isEqualTo(Setting.TLS.byDefault());
    }

    @Test
    @DisplayName("UC-11 fields of layers that plug in are set there too, by the names that they have declared")
    void fieldsOfLayers() throws IOException {
        Variable most = new Variable("TL_HALL_MOST", "8", "");
        try (Plugged plugged = Plugged.in(Files.createDirectory(folder.resolve("path")), List.of(HallLayer.class))) {
            assertThat(plugged).isNotNull();
            Path file = file("COTERIE_TL_HALL_MOST = 3", "COTERIE_TL_HALL_TUNE = 0");
            assertThat(most.found()).isEqualTo(new SettingSources.Found("3", file + ":1"));
            System.setProperty("coterie.tl.hall.most", "4");
            assertThat(most.found()).isEqualTo(new SettingSources.Found("4", "coterie.tl.hall.most"));
            file("COTERIE_TL_HALL_LEAST = 3");
            assertThatThrownBy(Setting.TLS::value).hasMessageContaining("there is no setting COTERIE_TL_HALL_LEAST");
        }
        file("COTERIE_TL_HALL_MOST = 3", "COTERIE_TLS = p2p"); // of a layer that is not on this program's path
        assertThat(Setting.TLS.value()).isEqualTo("p2p");
        file("COTERIE_TL_P2P_MOST = 3");
        assertThatThrownBy(Setting.TLS::value).hasMessageContaining("there is no setting COTERIE_TL_P2P_MOST");
    }

    @Test
    @DisplayName("UC-11 a file that is named must be there")
    void fileMustBeThere() {
        set(Setting.CONFIG_FILE, folder.resolve("none").toString());
        assertThatThrownBy(Setting.TLS::value)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("CONFIG_FILE (from coterie.config.file)", "none", "there is no such file");
        assertThatThrownBy(() -> {
                    try (LocalJob job = new LocalJob(1)) {
                        throw job.failures(world -> {}).get(0);
                    }
                })
                .as("a world does not open without")
                .hasMessageContaining("there is no such file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COTERIE_TLS                        | :2:1: \"COTERIE_TLS\" is not a setting; lines are NAME = value",
                "'  COTERIE_TSL = all'              | :2:3: there is no setting COTERIE_TSL; the nearest is COTERIE_TLS; 'coterie",
                "TLS = all                          | :2:1: there is no setting TLS; the nearest is COTERIE_TLS;",
                "COTERIE_CONFIG_FILE = x            | :2:1: COTERIE_CONFIG_FILE can't be set in the file",
                "COTERIE_LOAD_STORE = false             | :2:1: COTERIE_LOAD_STORE is set in line 1 already"
            })
    @DisplayName("UC-11 an error in a file is reported with its position")
    void errors(String line, String expected) throws IOException {
        Path file = file("COTERIE_LOAD_STORE = true", line);
        assertThatThrownBy(Setting.TLS::value)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + expected);
    }

    @Test
    @DisplayName("UC-11 a file in another encoding is reported as such")
    void encoding() throws IOException {
        Path file = file();
        Files.write(file, new byte[] {'#', ' ', (byte) 0xE4});
        assertThatThrownBy(Setting.TLS::value)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(file.toString(), "can't be read: it is not text in UTF-8");
        assertThat(LayerSettings.fileProblem())
                .hasValueSatisfying(why -> assertThat(why).contains("UTF-8"));
        file("# nothing");
        assertThat(LayerSettings.fileProblem()).isEmpty();
    }

    @Test
    @DisplayName("a value that can't be used is reported with its line")
    void valueWithPosition() throws IOException {
        Path file = file("COTERIE_SPINS = many");
        assertThatThrownBy(Setting.SPINS::number)
                .hasMessage("setting SPINS: \"many\" (from " + file + ":1) is not a number in [0, 10^9]");
    }
}
