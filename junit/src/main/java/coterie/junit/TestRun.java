// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What PEs did with a test.
///
/// @param ending why the run ended
/// @param answers verdict of each PE on its own part, null where it gave none
/// @param done PEs that have done their part; without an answer, such a PE waits for the others to close the world
/// @param firstFailed the first PE that failed, or -1; none if that was because another had aborted the test
/// @param story how to repeat the failed run of a simulated test
/// @param output what they printed
/// @param threadDumps the thread dumps of the PEs, empty if none were requested
record TestRun(
        Ending ending,
        List<@Nullable Answer> answers,
        BitSet done,
        int firstFailed,
        @Nullable String story,
        List<OutputLine> output,
        List<OutputLine> threadDumps) {

    /// Why the run ended.
    enum Ending {
        /// all have answered, or one has failed and the others had time to
        ANSWERED,
        /// a PE's process has ended, and so the job
        DIED,
        /// a PE is still busy at the deadline
        TIMED_OUT,
        /// a PE did not even read the command
        NOT_STARTED
    }

    /// One PE's verdict.
    ///
    /// @param kind passed, failed or aborted
    record Answer(Frame.Kind kind, @Nullable RemoteThrowable thrown) {}

    /// Whether a PE has nothing to do any more but wait for others.
    boolean isDone(int pe) {
        return done.get(pe);
    }

    /// Returns this run with a story.
    TestRun orStory(@Nullable String other) {
        return story != null ? this : new TestRun(ending, answers, done, firstFailed, other, output, threadDumps);
    }

    /// Whether every PE passed, so that the group is fit for the next test.
    boolean passed() {
        return ending == Ending.ANSWERED
                && answers.stream().allMatch(answer -> answer != null && answer.kind() == Frame.Kind.PASSED);
    }
}
