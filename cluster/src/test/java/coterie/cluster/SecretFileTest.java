// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretFileTest {
    private static final String SECRET = "sixteen bytes...";

    @TempDir
    private Path folder;

    private Path file(String content, String mode) throws IOException {
        Path file = Files.createTempFile(folder, "secret", null);
        Files.writeString(file, content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    @DisplayName("a secret is the same with and without the end of its line, and different with any other byte")
    void lineEnds() throws Exception {
        byte[] key = SecretFile.read(file(SECRET, "rw-------"));
        assertThat(key).hasSize(JobKey.SECRET_BYTES);
        assertThat(SecretFile.read(file(SECRET + "\n", "rw-------"))).isEqualTo(key);
        assertThat(SecretFile.read(file(SECRET + "\r\n", "r--------"))).isEqualTo(key);
        assertThat(SecretFile.read(file(SECRET + "\n\n", "rw-------"))).isNotEqualTo(key);
        assertThat(SecretFile.read(file(SECRET + " ", "rw-------"))).isNotEqualTo(key);
    }

    @Test
    @DisplayName("a link to a secret serves, as in a volume of Kubernetes")
    void links() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), file(SECRET, "rw-------"));
        assertThat(SecretFile.read(link)).hasSize(JobKey.SECRET_BYTES);
    }

    @Test
    @DisplayName("a secret has 16 bytes to 64 KiB")
    void lengths() throws Exception {
        Path little = file(SECRET.substring(1) + "\n", "rw-------");
        assertThatThrownBy(() -> SecretFile.read(little))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(little.toString(), "15 bytes", "[16, 65536]", "openssl rand -hex 32");
        Path large = file("x".repeat((1 << 16) + 1), "rw-------");
        assertThatThrownBy(() -> SecretFile.read(large)).hasMessageContaining("more than 65536 bytes");
        assertThat(SecretFile.read(file("x".repeat(1 << 16), "rw-------"))).hasSize(JobKey.SECRET_BYTES);
        assertThatThrownBy(() -> SecretFile.read(folder.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    @ParameterizedTest
    @DisplayName("a file that other users can read or change is refused, also if root runs this test")
    @CsvSource({"rw-r--r--", "rw-----w-", "rw--w----"})
    void openFiles(String mode) throws Exception {
        Path open = file(SECRET, mode);
        assertThatThrownBy(() -> SecretFile.read(open))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(open.toString(), mode, "other users", "0600");
    }

    @ParameterizedTest(name = "{0} of this user: {1}, of root: {2}, of root in a mounted secret: {3}")
    @DisplayName("a file of root may have a group, and a secret that an engine mounts may have any reader")
    @CsvSource({
        "rw-------, true,  true,  true",
        "r--r-----, false, true,  true",
        "rw-r--r--, false, false, true",
        "r--r--r--, false, false, true",
        "rw-rw-r--, false, false, false",
        "rw-rw-rw-, false, false, false"
    })
    void modes(String mode, boolean mine, boolean roots, boolean mounted) {
        var permissions = PosixFilePermissions.fromString(mode);
        assertThat(SecretFile.isHidden(permissions, true, false, false)).isEqualTo(mine);
        assertThat(SecretFile.isHidden(permissions, false, true, false)).isEqualTo(roots);
        assertThat(SecretFile.isHidden(permissions, false, true, true)).isEqualTo(mounted);
        assertThat(SecretFile.isHidden(permissions, false, false, true)).isFalse();
        assertThat(SecretFile.isHidden(permissions, true, false, true)).isEqualTo(mine);
    }
}
