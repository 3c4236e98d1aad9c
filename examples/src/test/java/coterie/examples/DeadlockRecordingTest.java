// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the flight recorders of a launcher and of its PEs have of a deadlock.
class DeadlockRecordingTest {
    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    private static List<RecordedEvent> events(Path folder) throws IOException {
        List<RecordedEvent> events = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                RecordingFile.readAllEvents(file).stream()
                        .filter(each -> each.getEventType().getName().startsWith("coterie."))
                        .forEach(events::add);
            }
        }
        return events;
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(each -> each.getEventType().getName().equals(name))
                .toList();
    }

    @Test
    @DisplayName("ST-S41: recordings have the launcher's diagnosis, and the line in which each PE waits")
    void circular(@TempDir Path folder) throws Exception {
        List<String> words = List.of(
                "run",
                "-n",
                "2",
                "--on-deadlock",
                "abort",
                "--stall",
                "3s",
                "--timeout",
                "60s",
                ProgramRun.EXAMPLES.resolve("deadlocks/Circular.java").toString(),
                "broken");
        ProgramRun run = ProgramRun.coterie(
                Map.of("JDK_JAVA_OPTIONS", "-XX:StartFlightRecording:filename=" + folder.resolve("%p.jfr")), words);
        assertThat(run.exitCode()).as(run.errors().toString()).isEqualTo(ExitCode.DEADLOCK.code());

        List<RecordedEvent> events = events(folder);
        assertThat(named(events, "coterie.Diagnosis")).singleElement().satisfies(each -> {
            assertThat(each.getString("verdict")).isEqualTo("DEADLOCK");
            assertThat(each.getString("stuckPes")).isEqualTo("0, 1");
            assertThat(each.getString("chain")).isEqualTo("P0.S#0 → P1.S#1 → P1.S#0 → P0.S#3 → P0.S#2 → P0.S#1");
            assertThat(String.join("\n", run.errors())).contains(each.getString("text"));
        });
        assertThat(named(events, "coterie.Stall"))
                .extracting(each -> each.getInt("pe"))
                .containsExactlyInAnyOrder(0, 1);
        assertThat(named(events, "coterie.Stall"))
                .allSatisfy(each -> assertThat(each.getStackTrace().getFrames())
                        .anyMatch(frame -> frame.getMethod().getName().equals("synchronize")))
                .allSatisfy(each -> assertThat(each.getString("at")).matches("Circular\\.java:\\d+.*"));
    }
}
