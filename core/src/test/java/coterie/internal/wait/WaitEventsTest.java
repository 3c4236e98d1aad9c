// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.trace.CallSite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the flight recorder gets of waits.
class WaitEventsTest {
    private static List<RecordedEvent> recorded(Path folder, boolean isOn) throws IOException {
        try (Recording recording = new Recording()) {
            for (String name : List.of("coterie.Wait", "coterie.Stall")) {
                (isOn ? recording.enable(name) : recording.disable(name)).withoutStackTrace();
            }
            recording.start();
            WaitEvent.emit(3, OperationKind.BARRIER, "", -1, 20_000_000);
            StallEvent.emit(3, OperationKind.BARRIER, "", -1, 2_000_000_000);
            recording.stop();
            Path file = folder.resolve(isOn + ".jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(each -> each.getEventType().getName().startsWith("coterie."))
                    .toList();
        }
    }

    @Test
    @DisplayName("events of waits have the line of the program that waits, also without stack traces")
    void line(@TempDir Path folder) throws IOException {
        String mine = CallSite.findCall(); // that of JUnit: all of this package is the library's
        assertThat(mine).matches("\\w+\\.java:\\d+.*");
        assertThat(recorded(folder, true))
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.getString("at")).isEqualTo(mine));
    }

    @Test
    @DisplayName("events that are off are not made")
    void off(@TempDir Path folder) throws IOException {
        assertThat(recorded(folder, false)).isEmpty();
    }
}
