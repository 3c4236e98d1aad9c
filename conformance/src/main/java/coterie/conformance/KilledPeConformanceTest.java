// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.OnFailure;
import coterie.junit.job.EndedJob;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What the others learn when the process of a PE is killed and the job goes on. Each case is a job of its own,
/// whose PEs say what they have learnt; see [KilledPePrograms].
class KilledPeConformanceTest {

    @Test
    @DisplayName("SH-W11 the writer is killed: every kind of wait for it fails once with an error that names it")
    void waitersLearnOfTheWriter() {
        Collection<String> lines = run(4, KilledPePrograms.Waiting.class);
        for (int pe : new int[] {0, 2, 3}) {
            String operation = pe == 3 ? "waitUntil of a set" : "waitUntil";
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(pe + " lost [1]: " + operation + " on PE " + pe + ", ")
                            .contains("(it is 0)")
                            .contains("PE 1 failed (exit code 137)"));
            assertThat(lines).contains(pe + " next wait: timeout");
        }
    }

    @Test
    @DisplayName(
            "SH-T28 a PE is killed while the others wait for it in a split: all have the same verdict, which names it")
    void splittersLearnOfWhoIsMissing() {
        Collection<String> lines = run(4, KilledPePrograms.Splitting.class);
        for (int pe : new int[] {0, 2, 3}) {
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(pe + " lost [1]: split2D")
                            .contains("PE 1 failed (exit code 137)"))
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(pe + " lost [1]: splitStrided")
                            .contains("PE 1 failed (exit code 137)"));
        }
    }

    @Test
    @DisplayName(
            "SH-T42 a PE is killed that a team can't be formed without: all learn its name, and form one without it")
    void formersLearnOfWhoIsMissing() {
        Collection<String> lines = run(4, KilledPePrograms.Forming.class);
        for (int pe : new int[] {0, 2, 3}) {
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(pe + " lost [1]: formTeam on PE " + pe
                                    + ", team \"id 0.1\": the team can't be complete")
                            .contains("PE 1 failed (exit code 137)"))
                    .contains(pe + " 3 live, " + (pe == 0 ? 2 : 3 - pe) + ", 5");
        }
    }

    @Test
    @DisplayName(
            "SH-L6 the holder of a lock is killed: each lock and tryLock gets an error that names it, until a PE recovers")
    void waitersLearnOfTheHolder() {
        Collection<String> lines = run(4, KilledPePrograms.HoldingALock.class);
        for (int pe = 1; pe < 4; pe++) {
            String lost = pe + " lost [0]: %s on PE " + pe + ", lock at index 0 of symmetric memory 1 (8 bytes at"
                    + " offset 0): PE 0, which held it, failed (exit code 137); lockOrRecover acquires it and returns"
                    + " this number";
            assertThat(lines).filteredOn(lost.formatted("lock")::equals).hasSize(3);
            assertThat(lines).contains(lost.formatted("tryLock"), pe + " has it again");
        }
        assertThat(lines).contains("1 recovers from OptionalInt[0]");
    }

    @Test
    @DisplayName("SH-L6 a waiter for a lock is killed: the lock passes over it")
    void theLockPassesOverAKilledWaiter() {
        Collection<String> lines = run(5, KilledPePrograms.WaitingForALock.class);
        assertThat(lines)
                .contains("0 has it", "1 has it", "3 has it", "4 has it")
                .contains("0 and later: OptionalInt.empty", "4 and later: OptionalInt.empty")
                .noneMatch(line -> line.startsWith("2 has it"));
    }

    @Test
    @DisplayName("a PE is killed: the next quiet of each context says so, once")
    void quietsTellOnce() {
        Collection<String> lines = run(2, KilledPePrograms.Quieting.class);
        for (String context : List.of("default", "older", "newer")) {
            assertThat(lines)
                    .contains("0 " + context + " lost [1]: quiet on PE 0: PE 1 failed (exit code 137)")
                    .contains("0 " + context + " is quiet");
        }
    }

    /// Runs a program with processes as PEs that survive each other, and returns what they print, each line after
    /// its PE's number.
    static Collection<String> run(int pes, Class<?> program) {
        EndedJob job =
                EndedJob.of(EndedJob.spec(KilledPePrograms.JOB, pes, program).withOnFailure(OnFailure.CONTINUE));
        assertThat(job.exitCode()).as("all end by themselves: %s", job.lines()).isNotEqualTo(ExitCode.TIMED_OUT.code());
        return job.lines();
    }
}
