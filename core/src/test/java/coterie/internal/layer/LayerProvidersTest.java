// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import coterie.internal.layer.BrokenLayers.Fieldless;
import coterie.internal.layer.BrokenLayers.Nameless;
import coterie.internal.layer.BrokenLayers.Unmade;
import coterie.layer.TransportLayer;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How layers are found among others that can't be used.
class LayerProvidersTest {
    @TempDir
    Path folder;

    @Test
    @DisplayName(
            "a layer that can't be loaded or made, or lacks a name or fields, hides no other layer; each has a reason")
    void unusable() {
        BrokenLayers.declare(folder, HallLayer.class.getName());
        LayerDiscovery.Inventory found = LayerProviders.find(TransportLayer.class, Plugged.loader(folder));
        assertThat(found.layers()).singleElement().isInstanceOf(HallLayer.class);
        assertThat(found.unusableLayer())
                .extracting(UnusableLayer::name, UnusableLayer::provider, UnusableLayer::reason)
                .containsExactlyInAnyOrder(
                        tuple(
                                BrokenLayers.ABSENT,
                                BrokenLayers.ABSENT,
                                "coterie.layer.TransportLayer: Provider no.such.Layer not found"),
                        tuple(BrokenLayers.ORPHAN, BrokenLayers.ORPHAN, "java.lang.NoClassDefFoundError: lost/Parent"),
                        tuple(
                                Unmade.class.getName(),
                                Unmade.class.getName(),
                                "java.lang.IllegalStateException: it can't be made"),
                        tuple(
                                Nameless.class.getName(),
                                Nameless.class.getName(),
                                "java.lang.IllegalStateException: it has no name"),
                        tuple(
                                "fieldless",
                                Fieldless.class.getName(),
                                "java.lang.IllegalStateException: it has no fields"));
    }

    @Test
    @DisplayName("a line that is no class's name is reported with its file")
    void misspelt() {
        Plugged.declare(folder, TransportLayer.class, "two words\n");
        assertThat(LayerProviders.find(TransportLayer.class, Plugged.loader(folder))
                        .unusableLayer())
                .singleElement()
                .satisfies(each -> assertThat(each.reason()).contains("META-INF/services", ":1:"));
    }
}
