// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The environment variables by which a launcher describes a job to a PE's process. Programs may read the first
/// four.
public enum JobEnvironment {
    /// number of the PE, in `[0, COTERIE_SIZE)`; in threads mode of the first PE of this process
    COTERIE_PE,
    /// number of PEs of the job
    COTERIE_SIZE,
    /// number of the PE among the PEs of its node
    COTERIE_LOCAL_PE,
    /// number of PEs of this node
    COTERIE_LOCAL_SIZE,
    /// the job's control segment, as `/proc/<launcher>/fd/<n>`
    COTERIE_SEGMENT,
    /// beside the segment: the key of a job across hosts, of which this host's launcher is an agent
    COTERIE_JOB_KEY;

    /// Returns whether the launcher sets a variable of this name.
    static boolean isName(String name) {
        for (JobEnvironment each : values()) {
            if (each.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /// One PE of a launched job, as its environment describes it.
    public record Launched(int pe, int size, Path segment, boolean isAcrossHosts) implements LaunchedPe {
        @Override
        public String description() {
            return "process " + ProcessHandle.current().pid() + " of the job at " + segment;
        }
    }

    /// Returns the PE that an environment describes, or null if it names no job.
    ///
    /// @throws CoterieException if it names a job, and a variable is missing or not a number in its range
    public static @Nullable LaunchedPe read(Map<String, String> environment) {
        String segment = environment.get(COTERIE_SEGMENT.name());
        if (segment == null) {
            return null;
        }
        int size = number(environment, COTERIE_SIZE, 1, Integer.MAX_VALUE);
        return new Launched(
                number(environment, COTERIE_PE, 0, size - 1),
                size,
                Path.of(segment),
                environment.containsKey(COTERIE_JOB_KEY.name()));
    }

    private static int number(Map<String, String> environment, JobEnvironment variable, int min, int max) {
        String text = environment.get(variable.name());
        try {
            int value = Integer.parseInt(text == null ? "" : text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw unreadable(variable, text, min, max, e);
        }
        throw unreadable(variable, text, min, max, null);
    }

    private static CoterieException unreadable(
            JobEnvironment variable, @Nullable String text, int min, int max, @Nullable Throwable cause) {
        String message = "join: environment variable " + variable + " is "
                + (text == null ? "missing" : "\"" + text + "\"") + "; allowed are numbers in [" + min + ", " + max
                + "]; start the program with coterie run";
        return cause == null ? new CoterieException(message) : new CoterieException(message, cause);
    }
}
