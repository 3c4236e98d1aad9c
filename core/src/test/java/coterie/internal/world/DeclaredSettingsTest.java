// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.spi.SettingsProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Settings that modules declare by a service.
@ExtendWith(TestSettings.class)
class DeclaredSettingsTest {
    private static final String SEATS = "coterie.gallery.seats";

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path folder;

    private void plugIn(Class<?>... providers) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(
                services.resolve(SettingsProvider.class.getName()),
                Arrays.stream(providers).map(Class::getName).toList());
        URL[] path = {folder.toUri().toURL()};
        Thread.currentThread().setContextClassLoader(new URLClassLoader(path, before));
    }

    private void file(String line) throws IOException {
        set(
                Setting.CONFIG_FILE,
                Files.writeString(folder.resolve("coterie.conf"), line).toString());
    }

    @AfterEach
    void asBefore() {
        Thread.currentThread().setContextClassLoader(before);
        System.clearProperty(SEATS);
    }

    @Test
    @DisplayName("they have a default, and values from the file and from properties, as the runtime's own have")
    void values() throws IOException {
        plugIn(HallSettings.class);
        assertThat(Worlds.setting("GALLERY_SEATS")).isEqualTo("40");
        file("COTERIE_GALLERY_SEATS = 50");
        assertThat(Worlds.setting("GALLERY_SEATS")).isEqualTo("50");
        System.setProperty(SEATS, "60");
        assertThat(Worlds.setting("GALLERY_SEATS")).isEqualTo("60");
        assertThat(Worlds.setting("SPINS")).isEmpty();
    }

    @Test
    @DisplayName("they are in the list of all settings, behind the runtime's")
    void list() throws IOException {
        plugIn(HallSettings.class);
        assertThat(LayerSettings.variables())
                .extracting(Variable::name)
                .startsWith(Setting.SPINS.name())
                .containsSequence("GALLERY_SEATS", "CURTAIN");
    }

    @Test
    @DisplayName("a name that no module declares is refused with those that there are")
    void unknown() throws IOException {
        plugIn(HallSettings.class);
        assertThatThrownBy(() -> Worlds.setting("GALLERY"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "\"GALLERY\"", "SPINS", "on the path of this program: [", "GALLERY_SEATS, CURTAIN");
    }

    @Test
    @DisplayName("their misspelt names are reported, right ones are not, and so are lines of the file")
    void misspelt() throws IOException {
        plugIn(HallSettings.class);
        UnknownSettings names = new UnknownSettings(List.of());
        assertThat(names.remarks(List.of(SEATS), List.of("COTERIE_CURTAIN", "COTERIE_GALERY_SEATS"), Map.of()))
                .containsExactly("environment variable COTERIE_GALERY_SEATS sets nothing: there is no such setting; the"
                        + " nearest is COTERIE_GALLERY_SEATS; 'coterie info --config' lists them all");
        file("COTERIE_CURTAINS = red");
        assertThatThrownBy(Setting.TLS::value)
                .hasMessageContaining("there is no setting COTERIE_CURTAINS; the nearest is COTERIE_CURTAIN;");
    }

    @Test
    @DisplayName("a file may have settings of modules that are not on this program's path, and no slips")
    void absentModule() throws IOException {
        file("COTERIE_GALLERY_SEATS = 50");
        assertThat(Setting.TLS.value()).isEqualTo("all");
        file("COTERIE_SPINZ = 50");
        assertThatThrownBy(Setting.TLS::value).hasMessageContaining("the nearest is COTERIE_SPINS");
        file("GALLERY_SEATS = 50");
        assertThatThrownBy(Setting.TLS::value).hasMessageContaining("there is no setting GALLERY_SEATS");
    }

    @Test
    @DisplayName("a module that declares a setting of the runtime or of another module is refused by name")
    void taken() throws IOException {
        plugIn(HallSettings.Rude.class);
        assertThatThrownBy(DeclaredSettings::all)
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(HallSettings.Rude.class.getName(), "SPINS");
        plugIn(HallSettings.class, HallSettings.Second.class);
        assertThatThrownBy(DeclaredSettings::all)
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(HallSettings.Second.class.getName(), "CURTAIN");
    }

    @Test
    @DisplayName("a provider that can't be loaded is named")
    void broken() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(SettingsProvider.class.getName()), "no.such.Provider\n");
        URL[] path = {folder.toUri().toURL()};
        Thread.currentThread().setContextClassLoader(new URLClassLoader(path, before));
        assertThatThrownBy(() -> Worlds.setting("CURTAIN"))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("no.such.Provider");
    }
}
