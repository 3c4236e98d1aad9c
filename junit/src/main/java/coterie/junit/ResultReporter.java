// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.JobFailure;
import coterie.internal.launch.PeNumbers;
import coterie.internal.launch.SimulationScript;
import coterie.junit.TestRun.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/// Says in JUnit's terms what a group of workers did.
///
/// @param whereabouts of each PE, one phrase: how it ended, what it waits for
record ResultReporter(JobShape shape, Duration timeout, TestRun run, List<String> whereabouts) {
    /// Lines of output in an error. More can be read above it on JUnit's own output.
    private static final int MAX_LINES = 200;

    private static final String STOPPED = " had to be stopped: ";

    /// What a test ends with that did not pass.
    ///
    /// @param note more about it, in lines, or an empty text
    Throwable verdict(String note) {
        String after = (note.isEmpty() ? "" : System.lineSeparator() + note) + attachments();
        return switch (run.ending()) {
            case DIED -> error("a PE ended during the test" + allWhereabouts() + after, null, answersExcept(-1));
            case TIMED_OUT ->
                error(
                        "not done after " + timeout.toSeconds() + " s" + allWhereabouts() + after,
                        null,
                        answersExcept(-1));
            case NOT_STARTED -> error("the PEs did not start" + allWhereabouts() + after, null, answersExcept(-1));
            case ANSWERED -> run.firstFailed() >= 0 ? failed(run.firstFailed(), after) : aborted();
        };
    }

    /// What the first PE that failed has thrown, in one line; nothing where the test did not fail by that.
    Optional<JobFailure> failure() {
        int pe = run.firstFailed();
        if (run.ending() != TestRun.Ending.ANSWERED || pe < 0) {
            return Optional.empty();
        }
        String text = String.valueOf(thrownBy(pe));
        return Optional.of(new JobFailure(1, text.lines().findFirst().orElse("")));
    }

    private Throwable failed(int pe, String after) {
        RemoteThrowable thrown = thrownBy(pe);
        return error("PE " + pe + " failed: " + thrown + after, thrown, answersExcept(pe));
    }

    private Throwable aborted() {
        for (int pe = 0; pe < shape.pes(); pe++) {
            Answer answer = run.answers().get(pe);
            RemoteThrowable thrown = thrownBy(pe);
            if (thrown != null && answer != null && answer.kind() == Frame.Kind.ABORTED) {
                return new TestAbortedException(messagePrefix() + ": PE " + pe + " aborted: " + thrown, thrown);
            }
        }
        throw new AssertionError("neither passed, nor failed, nor aborted: " + run);
    }

    private Throwable error(String message, @Nullable RemoteThrowable cause, List<Throwable> others) {
        AssertionFailedError error = new AssertionFailedError(messagePrefix() + ": " + message, cause);
        if (cause != null) {
            // So that a click on the failed test leads to the line that failed.
            error.setStackTrace(cause.getStackTrace());
        }
        others.forEach(error::addSuppressed);
        return error;
    }

    private String messagePrefix() {
        String story = run.story();
        return shape
                + (story == null
                        ? ""
                        : SimulationScript.parse(story)
                                .seed()
                                .map(seed -> ", seed " + seed)
                                .orElse(""));
    }

    /// What the other PEs threw, or did instead of answering: one for all that are alike.
    private List<Throwable> answersExcept(int first) {
        Map<String, List<Integer>> alike = new LinkedHashMap<>();
        for (int pe = 0; pe < shape.pes(); pe++) {
            RemoteThrowable thrown = thrownBy(pe);
            if (pe != first && thrown != null) {
                alike.computeIfAbsent(thrown.textFor(pe), key -> new ArrayList<>())
                        .add(pe);
            } else if (pe != first && first >= 0 && !run.isDone(pe)) {
                alike.computeIfAbsent(STOPPED + whereabouts.get(pe), key -> new ArrayList<>())
                        .add(pe);
            }
        }
        return alike.entrySet().stream()
                .map(each -> other(each.getValue(), each.getKey()))
                .toList();
    }

    /// Returns what PEs did that are alike, with the frames of what they threw alone.
    private Throwable other(List<Integer> pes, String text) {
        RemoteThrowable thrown = thrownBy(pes.getFirst());
        if (thrown == null) {
            AssertionFailedError stopped = new AssertionFailedError(PeNumbers.text(pes) + text);
            stopped.setStackTrace(new StackTraceElement[0]);
            return stopped;
        }
        AssertionFailedError error = new AssertionFailedError(PeNumbers.text(pes) + ": " + thrown, thrown.getCause());
        error.setStackTrace(thrown.getStackTrace());
        for (Throwable each : thrown.getSuppressed()) {
            error.addSuppressed(each);
        }
        return error;
    }

    private @Nullable RemoteThrowable thrownBy(int pe) {
        Answer answer = run.answers().get(pe);
        return answer == null ? null : answer.thrown();
    }

    private String allWhereabouts() {
        StringBuilder text = new StringBuilder();
        for (int pe = 0; pe < shape.pes(); pe++) {
            Answer answer = run.answers().get(pe);
            text.append(System.lineSeparator()).append("  PE ").append(pe).append(": ");
            text.append(answer == null ? whereabouts.get(pe) : text(answer));
        }
        return text.toString();
    }

    private static String text(Answer answer) {
        return answer.kind() == Frame.Kind.LEFT
                ? "done, but left something behind"
                : answer.kind().name().toLowerCase(Locale.ROOT);
    }

    private String attachments() {
        StringBuilder text = new StringBuilder();
        List<OutputLine> output = run.output();
        int cut = Math.max(0, output.size() - MAX_LINES);
        if (!output.isEmpty()) {
            text.append(System.lineSeparator()).append("Output of the PEs");
            text.append(cut == 0 ? ":" : ", without its first " + cut + " lines:");
        }
        append(output.subList(cut, output.size()), text);
        if (!run.threadDumps().isEmpty()) {
            text.append(System.lineSeparator()).append("Threads of the PEs:");
        }
        append(run.threadDumps(), text);
        return text.toString();
    }

    private static void append(List<OutputLine> lines, StringBuilder text) {
        for (OutputLine line : lines) {
            text.append(System.lineSeparator()).append("  ").append(line);
        }
    }
}
