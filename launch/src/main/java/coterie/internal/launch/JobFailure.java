// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.regex.Pattern;

/// The first failure of a job.
///
/// @param exitCode of the job
/// @param what one line: the exception that a PE threw, or why the simulator killed the PE; empty if the
///     launcher knows only an exit code
public record JobFailure(int exitCode, String what) {
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /// Returns whether two runs have failed in the same way, as far as the exit codes and the texts reveal it.
    /// The comparison ignores numbers: if events happen in another order, another PE fails, with other values.
    public boolean isLike(JobFailure other) {
        return exitCode == other.exitCode && describe(what).equals(describe(other.what));
    }

    private static String describe(String text) {
        return NUMBER.matcher(text).replaceAll("#");
    }
}
