// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.internal.component.ComponentRegistry;
import coterie.layer.CollectiveLayer;
import coterie.layer.Configuration;
import coterie.layer.Field;
import coterie.layer.Layer;
import coterie.layer.LayerLibrary;
import coterie.layer.TransportLayer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How layers that plug in are found, and what they may not have in common.
class LayerDiscoveryTest {
    @TempDir
    Path folder;

    private record Named(String name, int defaultScore) implements TransportLayer {
        @Override
        public LayerLibrary open(Configuration configuration) {
            throw new CoterieException("it is no more than a name");
        }
    }

    /// Found by its service.
    public static final class Choir implements CollectiveLayer {
        @Override
        public String name() {
            return "choir";
        }

        @Override
        public int defaultScore() {
            return 8;
        }

        @Override
        public LayerLibrary open(Configuration configuration) {
            throw new CoterieException("it is no more than a name");
        }
    }

    @Test
    @DisplayName("layers are found by their services, those of both kinds, in the order of their names")
    void found() {
        try (Plugged plugged = Plugged.in(folder, List.of(HallLayer.class, Choir.class))) {
            assertThat(plugged).isNotNull();
            assertThat(LayerDiscovery.find(ComponentRegistry.scores()).layers())
                    .extracting(Layer::name)
                    .containsExactly("choir", "hall");
        }
        assertThat(LayerDiscovery.find(ComponentRegistry.scores()).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "hall, 7, another layer has the same name",
        "p2p, 7, another layer has the same name: the runtime's own",
        "row, 500, its default score 500 is also that of layer \"hall\"",
        "row, 90, its default score 90 is also that of layer \"p2p\"",
        "row, 0, 'default score 0 is outside [1, 2^31 - 2]'",
        "row, 2147483647, 'outside [1, 2^31 - 2]'",
        "Row, 7, its name is invalid",
        "1row, 7, its name is invalid",
    })
    @DisplayName("names and default scores are unique, and can be spelt")
    void refused(String name, int score, String message) {
        assertThatThrownBy(() -> LayerDiscovery.check(
                        List.of(new HallLayer(), new Named(name, score)), ComponentRegistry.scores()))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(name, Named.class.getName(), message);
    }

    @ParameterizedTest
    @CsvSource({
        "MOST, 101, 'setting TL_HALL_MOST: \"101\" (from nowhere) is not a number in [1, 100]'",
        "MOST, many, 'setting TL_HALL_MOST: \"many\" (from nowhere) is not a number in [1, 100]'",
        "EAGER, yes, 'setting TL_HALL_EAGER: \"yes\" (from nowhere) is not true or false'",
    })
    @DisplayName("values that can't be used are refused with their setting and where it was set")
    void values(String field, String value, String message) {
        SettingSources settingSources = (name, byDefault) -> name.equals("TL_HALL_" + field)
                ? new SettingSources.Found(value, "nowhere")
                : new SettingSources.Found(byDefault, "default");
        FieldValues values = new FieldValues(new HallLayer(), settingSources);
        assertThatThrownBy(() -> new HallLayer().open(values))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> values.text("COLOR"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("no field \"COLOR\"", "FAULT, MOST, EAGER, LEVEL");
    }

    @ParameterizedTest
    @CsvSource({"TUNE", "most", "1ST", "A-B", "''"})
    @DisplayName("fields have names that variables can have")
    void fields(String name) {
        assertThatThrownBy(() -> new Field(name, "", "something")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("settings are named after the kind of layer, its name and the field")
    void settings() {
        assertThat(LayerDiscovery.setting(new HallLayer(), "MOST")).isEqualTo("TL_HALL_MOST");
        assertThat(LayerDiscovery.setting(new Choir(), LayerDiscovery.TUNE)).isEqualTo("CL_CHOIR_TUNE");
    }
}
