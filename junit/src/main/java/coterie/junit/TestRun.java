// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What PEs did with a test.
///
/// @param ending why nobody waits for them any longer
/// @param answers verdict of each PE on its own part, null where it gave none
/// @param done PEs that have done their part; without an answer, such a PE waits for the others to close the world
/// @param firstFailed the first PE that failed, or -1; none if that was because another had aborted the test
/// @param story how to have the performance again that went wrong, of a simulated test whose PEs could tell
/// @param output what they printed
/// @param threadDumps what they printed when asked where they are, empty if nobody asked
record TestRun(
        Ending ending,
        List<@Nullable Answer> answers,
        BitSet done,
        int firstFailed,
        @Nullable String story,
        List<OutputLine> output,
        List<OutputLine> threadDumps) {

    /// Why nobody waits any longer.
    enum Ending {
        /// all have answered, or one has failed and the others had time to
        ANSWERED,
        /// a PE's process has ended, and so the job
        DIED,
        /// somebody is still busy at the deadline
        TIMED_OUT,
        /// somebody did not even read the command
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

    /// This course with a story that somebody else could tell.
    TestRun orStory(@Nullable String other) {
        return story != null ? this : new TestRun(ending, answers, done, firstFailed, other, output, threadDumps);
    }

    /// Whether every PE passed, so that the group is fit for the next test.
    boolean passed() {
        return ending == Ending.ANSWERED
                && answers.stream().allMatch(answer -> answer != null && answer.kind() == Frame.Kind.PASSED);
    }
}
