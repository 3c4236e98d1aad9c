// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockSampleTest {
    private static final Instant BUILD = Instant.parse("2026-01-31T12:00:00.123Z");

    @TempDir
    private Path folder;

    @Test
    @DisplayName("a note has the module, its folder, the build, the time, and what the processors have done")
    void parses() {
        ClockSample sample = ClockSample.parse(List.of(
                "module=core",
                "target=/a folder/core=1/target",
                "build=2026-01-31T12:00:00.123Z",
                "threads=1",
                "micros=1795872677061620",
                "machine=cpu  10 2 30 400 5 6 7 8 9 10",
                "processors=4",
                "maven=127",
                "throttled=3"));
        assertThat(sample)
                .isEqualTo(new ClockSample(
                        "core",
                        Path.of("/a folder/core=1/target"),
                        BUILD,
                        1,
                        1_795_872_677_061_620L,
                        new MachineTicks(10 + 2 + 30 + 6 + 7, 5, 8, 10 + 2 + 30 + 400 + 5 + 6 + 7 + 8, 4),
                        127L,
                        3));
    }

    @Test
    @DisplayName("a note without /proc, or without a JVM above its script, has the time alone")
    void parsesTimeAlone() {
        List<String> time =
                List.of("module=core", "target=/core/target", "build=2026-01-31T12:00:00Z", "threads=1", "micros=1");
        ClockSample sample = ClockSample.parse(time);
        assertThat(sample.machine()).isNull();
        assertThat(sample.mavenTicks()).isNull();
        assertThatThrownBy(() -> ClockSample.parse(time.subList(0, 4))).hasMessageContaining("has no micros");
    }

    @Test
    @DisplayName("notes of older builds are left out, the others are in the order of their time")
    void readsNotesOfTheBuild() throws IOException {
        assertThat(ClockSample.readAll(folder.resolve("none"), BUILD)).isEmpty();
        note("sim", BUILD, 7);
        note("core", BUILD, 5);
        note("ucx", BUILD.minusMillis(1), 6);
        assertThat(ClockSample.readAll(folder, BUILD))
                .extracting(ClockSample::module)
                .containsExactly("core", "sim");
    }

    @Test
    @DisplayName("the script notes this JVM's processor time and the machine's, with the names that it was given")
    void script() throws IOException, InterruptedException {
        Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Path notes = folder.resolve("target/times");
        run(notes, folder.resolve("core"));
        run(notes, folder);

        List<ClockSample> samples = ClockSample.readAll(notes, BUILD);
        assertThat(samples).extracting(ClockSample::module).containsExactly("core", "parent");
        assertThat(samples).allSatisfy(sample -> {
            assertThat(sample.target()).isEqualTo(Path.of("a target"));
            assertThat(sample.build()).isEqualTo(BUILD);
            assertThat(sample.threads()).isEqualTo(3);
            assertThat(Instant.EPOCH.plus(sample.micros(), ChronoUnit.MICROS)).isBetween(before, Instant.now());
            assertThat(sample.mavenTicks()).isPositive();
            assertThat(sample.machine().processors()).isPositive();
            assertThat(sample.machine().all())
                    .isGreaterThanOrEqualTo(sample.machine().busy());
        });
    }

    private static void run(Path notes, Path module) throws IOException, InterruptedException {
        // Through a shell, as a wrapper of a command would be.
        Process script = new ProcessBuilder(
                        "bash",
                        "-c",
                        "\"$0\" \"$@\"; true",
                        Path.of("clock").toAbsolutePath().toString(),
                        notes.toString(),
                        module.toString(),
                        "a target",
                        BUILD.toString(),
                        "threads=3")
                .inheritIO()
                .start();
        assertThat(script.waitFor()).isZero();
    }

    private void note(String module, Instant build, long micros) throws IOException {
        Files.write(
                folder.resolve(module),
                List.of("module=" + module, "target=/" + module, "build=" + build, "threads=1", "micros=" + micros));
    }
}
