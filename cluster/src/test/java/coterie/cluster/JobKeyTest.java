// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobKeyTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.7", "node-3.example.org", "fe80::1"})
    @DisplayName("a key survives a file of mode 0600, and its secret is in no message")
    void files(String host) throws Exception {
        JobKey key = JobKey.create(host, 40123);
        Path file = folder.resolve("job.key");
        key.write(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(JobKey.read(file)).isEqualTo(key);
        assertThat(key.toString())
                .contains(host)
                .doesNotContain(key.text().lines().toList().get(2).substring(10));
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw-rw-rw-", "rw--w----"})
    @DisplayName("a key file that other users can use is refused, with mode and remedy")
    void openFiles(String mode) throws Exception {
        Path file = folder.resolve("job.key");
        JobKey.create("localhost", 1).write(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        assertThatThrownBy(() -> JobKey.read(file))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(mode, "chmod 600");
    }

    @Test
    @DisplayName("a key on standard input leaves the rest of the input to the program")
    void standardInput() throws Exception {
        JobKey key = JobKey.create("localhost", 9);
        ByteArrayInputStream in = new ByteArrayInputStream((key.text() + "more").getBytes(UTF_8));
        assertThat(JobKey.read(in, "standard input")).isEqualTo(key);
        assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("more");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "coterie-job-key 1\naddress a\nsecret 00\n",
                "coterie-job-key 2\naddress a:1\nsecret 0000000000000000000000000000000000000000000000000000000000000000\n",
                "coterie-job-key 1\naddress a:70000\nsecret 0000000000000000000000000000000000000000000000000000000000000000\n"
            })
    @DisplayName("a text that is no key is refused, and not repeated")
    void noKeys(String text) {
        assertThatThrownBy(() -> JobKey.read(new ByteArrayInputStream(text.getBytes(UTF_8)), "a test"))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("job key from a test: there are no three lines");
    }
}
