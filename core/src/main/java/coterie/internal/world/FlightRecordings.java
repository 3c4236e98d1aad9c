// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/// The flight recordings of this JVM, which a halt would leave empty: the JDK writes them in a shutdown hook.
final class FlightRecordings {
    private static final System.Logger LOGGER = System.getLogger("coterie");

    private FlightRecordings() {}

    /// Writes the recordings that have a file. One that can't be written is logged.
    static void dump() {
        if (!FlightRecorder.isAvailable() || !FlightRecorder.isInitialized()) {
            return;
        }
        for (Recording each : FlightRecorder.getFlightRecorder().getRecordings()) {
            Path file = each.getDestination();
            if (file == null || each.getState() != RecordingState.RUNNING) {
                continue;
            }
            try {
                each.dump(file);
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.WARNING, "can't write the flight recording " + file, e);
            }
        }
    }
}
