// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RecordedAbortTest {
    private static final String EVENT = "coterie.test.BeforeAbort";
    private static final int CODE = 9;

    @TempDir
    private Path folder;

    @Name(EVENT)
    static final class BeforeAbort extends Event {}

    static final class Recorded {
        public static void main(String[] args) {
            World world = World.join();
            new BeforeAbort().commit();
            throw world.abort(CODE);
        }
    }

    @Test
    @DisplayName("a PE that aborts has written its flight recording, which a halt alone would leave empty")
    void recordingIsWritten() throws Exception {
        JobSpec.Program program =
                new JobSpec.Program(Recorded.class.getName(), null, Launching.classPath(), List.of(), List.of());
        JobSpec spec = JobSpec.of("recorded", 1, program)
                .withHeapBytes(1 << 20)
                .withOutput(new JobSpec.Output.Discarded())
                .withJvmOptions(List.of(
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:StartFlightRecording:filename=" + folder.resolve("pe-%p.jfr")));
        try (Job job = Job.start(spec)) {
            assertThat(job.await()).isEqualTo(CODE);
        }
        try (Stream<Path> files = Files.list(folder)) {
            Path file = files.findFirst().orElseThrow();
            assertThat(RecordingFile.readAllEvents(file))
                    .anyMatch(event -> event.getEventType().getName().equals(EVENT));
        }
    }
}
