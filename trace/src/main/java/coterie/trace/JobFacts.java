// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import java.util.Map;

/// What the launcher knows of a traced job.
///
/// @param name of the job
/// @param command the command line, as a user would type it
/// @param mode how its PEs run, such as `processes`
/// @param exitCode of the job
/// @param ending a sentence about how the job has ended
/// @param maxEvents that each PE has kept
/// @param startNanos when the launcher started it, by the clock of processes
/// @param endNanos when it had ended
/// @param diagnosis the fields of the last diagnosis of a stuck job; empty without one
/// @param diagnosisText the same for people
/// @param diagnosisNanos when it was made
public record JobFacts(
        String name,
        String command,
        String mode,
        int exitCode,
        String ending,
        int maxEvents,
        long startNanos,
        long endNanos,
        Map<String, Object> diagnosis,
        String diagnosisText,
        long diagnosisNanos) {}
