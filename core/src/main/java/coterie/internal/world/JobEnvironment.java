// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import coterie.spi.Bootstrap;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a launcher tells a PE's process through its environment; programs may read the first four themselves.
public enum JobEnvironment {
    /// my number, in `[0, COTERIE_SIZE)`; in threads mode the first of this process
    COTERIE_PE,
    /// PEs of the job
    COTERIE_SIZE,
    /// my number among the PEs of this node
    COTERIE_LOCAL_PE,
    /// PEs of this node
    COTERIE_LOCAL_SIZE,
    /// the job's control segment, as `/proc/<launcher>/fd/<n>`
    COTERIE_SEGMENT;

    /// One PE of a launched job, as its environment describes it.
    public record Launched(int pe, int size, Path segment) implements Bootstrap {
        @Override
        public String description() {
            return "process " + ProcessHandle.current().pid() + " of the job at " + segment;
        }
    }

    /// The PE that this environment describes, or null if it names no job.
    ///
    /// @throws CoterieException if it names one, but not wholly or not readably
    public static @Nullable Bootstrap read(Map<String, String> environment) {
        String segment = environment.get(COTERIE_SEGMENT.name());
        if (segment == null) {
            return null;
        }
        int size = number(environment, COTERIE_SIZE, 1, Integer.MAX_VALUE);
        return new Launched(number(environment, COTERIE_PE, 0, size - 1), size, Path.of(segment));
    }

    private static int number(Map<String, String> environment, JobEnvironment variable, int least, int most) {
        String text = environment.get(variable.name());
        try {
            int value = Integer.parseInt(text == null ? "" : text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw unreadable(variable, text, least, most, e);
        }
        throw unreadable(variable, text, least, most, null);
    }

    private static CoterieException unreadable(
            JobEnvironment variable, @Nullable String text, int least, int most, @Nullable Throwable cause) {
        String message = "joining the job: " + variable + " is " + (text == null ? "missing" : "\"" + text + "\"")
                + ", a number in [" + least + ", " + most + "] is needed; start the program with coterie run";
        return cause == null ? new CoterieException(message) : new CoterieException(message, cause);
    }
}
