// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.regex.Pattern;

/// How a job has failed first.
///
/// @param exitCode of the job
/// @param what the exception that a PE threw or why it was killed, in one line; empty where a process just ended
public record JobFailure(int exitCode, String what) {
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /// Whether two runs have failed in the same way, as far as can be told: with the same words. Numbers count for
    /// nothing, since another order of events fails in another PE and with other values.
    public boolean isLike(JobFailure other) {
        return exitCode == other.exitCode && describe(what).equals(describe(other.what));
    }

    private static String describe(String text) {
        return NUMBER.matcher(text).replaceAll("#");
    }
}
