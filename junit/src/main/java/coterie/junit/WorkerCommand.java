// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.junit.TestRun.Answer;
import coterie.junit.TestRun.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One command to a group of workers and all they print until it is over.
///
/// Readers of the workers' pipes bring lines; the test's thread waits for answers among them.
final class WorkerCommand {
    /// How long the others may take once a PE has failed. Long enough for those that fail by the same mistake, and
    /// for a launcher to end a job whose PE was killed; the other PEs wait for the failed one without end.
    private static final Duration AFTERMATH = Duration.ofSeconds(2);

    /// A JVM prints a thread dump at once or, if it can't reach a safepoint, never.
    private static final Duration DUMPING = Duration.ofSeconds(5);

    /// The last line of HotSpot's list of threads.
    private static final String DUMP_END = "JNI global refs";

    private final JobShape shape;
    private final String token;
    private final BitSet begun = new BitSet();
    private final BitSet done = new BitSet();
    private final BitSet flushed = new BitSet();
    private final @Nullable Answer[] answers;
    private final List<OutputLine> output = new ArrayList<>();
    private final List<OutputLine> dumps = new ArrayList<>();
    private int firstFailed = -1;
    private @Nullable String story;
    private int dumpsComplete;
    private boolean dumping;
    private boolean over;

    WorkerCommand(JobShape shape, String token) {
        this.shape = shape;
        this.token = token;
        answers = new Answer[shape.pes()];
    }

    /// Takes a line that a PE has printed.
    synchronized void line(int pe, boolean standardError, String text) {
        Frame frame = Frame.in(text, token);
        if (frame == null) {
            print(new OutputLine(pe, standardError, text));
            return;
        }
        if (!frame.before().isEmpty()) {
            print(new OutputLine(pe, standardError, frame.before()));
        }
        switch (frame.kind()) {
            case BEGUN -> begun.set(pe);
            case DONE -> done.set(pe);
            case FLUSHED -> flushed.set(pe);
            case STORY -> story = story == null ? frame.payload() : story;
            case PASSED -> answers[pe] = new Answer(frame.kind(), null);
            case LEFT -> {
                done.set(pe);
                answers[pe] = new Answer(frame.kind(), RemoteThrowable.decode(frame.payload()));
            }
            case FAILED, ABORTED -> {
                boolean consequence = shape.mode() == SpmdMode.SIM && someoneUnhappy();
                done.set(pe);
                answers[pe] = new Answer(frame.kind(), RemoteThrowable.decode(frame.payload()));
                if (firstFailed < 0 && !consequence && frame.kind() == Frame.Kind.FAILED) {
                    firstFailed = pe;
                }
            }
        }
        notifyAll();
    }

    private void print(OutputLine line) {
        (dumping ? dumps : output).add(line);
        if (dumping && line.text().startsWith(DUMP_END)) {
            dumpsComplete++;
            notifyAll();
        }
    }

    /// Takes note that the job has ended and no line will come any more.
    synchronized void jobEnded() {
        over = true;
        notifyAll();
    }

    /// Waits until every PE has begun with the test; returns whether they have.
    synchronized boolean awaitBegun(Duration atMost) throws InterruptedException {
        await(() -> over || all(begun) || someoneUnhappy(), deadline(atMost));
        return all(begun) || someoneUnhappy();
    }

    /// Waits until all have answered, one has failed, or they can't or may not go on; returns which.
    synchronized Ending awaitAnswers(Duration atMost) throws InterruptedException {
        await(() -> over || allAnswered() || someoneUnhappy() || onlyLeftovers(), deadline(atMost));
        boolean unhappy = someoneUnhappy();
        if (unhappy) {
            await(() -> over || (all(done) && all(flushed)), deadline(AFTERMATH));
        }
        if (allAnswered() || onlyLeftovers()) {
            return Ending.ANSWERED;
        }
        return over ? Ending.DIED : unhappy ? Ending.ANSWERED : Ending.TIMED_OUT;
    }

    /// From now on, what the PEs print is their thread dumps.
    synchronized void expectThreadDumps() {
        dumping = true;
    }

    /// Waits until every JVM has printed its threads, or does not do so.
    synchronized void awaitThreadDumps() throws InterruptedException {
        await(() -> over || dumpsComplete >= shape.jvms(), deadline(DUMPING));
    }

    /// All that has happened, ended this way.
    synchronized TestRun run(Ending ending) {
        return new TestRun(
                ending,
                new ArrayList<>(Arrays.asList(answers)),
                (BitSet) done.clone(),
                firstFailed < 0 && !someoneUnhappy() ? firstWithLeftovers() : firstFailed,
                story,
                List.copyOf(output),
                List.copyOf(dumps));
    }

    private boolean allAnswered() {
        return all(flushed) && Arrays.stream(answers).allMatch(answer -> answer != null);
    }

    private boolean someoneUnhappy() {
        return Arrays.stream(answers)
                .anyMatch(answer ->
                        answer != null && (answer.kind() == Frame.Kind.FAILED || answer.kind() == Frame.Kind.ABORTED));
    }

    /// Returns whether all have done their parts, and some have left something behind, for whose worlds the others
    /// wait.
    private boolean onlyLeftovers() {
        return all(done) && all(flushed) && firstWithLeftovers() >= 0;
    }

    private int firstWithLeftovers() {
        for (int pe = 0; pe < answers.length; pe++) {
            Answer answer = answers[pe];
            if (answer != null && answer.kind() == Frame.Kind.LEFT) {
                return pe;
            }
        }
        return -1;
    }

    private boolean all(BitSet pes) {
        return pes.cardinality() == shape.pes();
    }

    private static long deadline(Duration atMost) {
        return System.nanoTime() + atMost.toNanos();
    }

    private void await(BooleanSupplier condition, long deadlineNanos) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            long leftNanos = deadlineNanos - System.nanoTime();
            if (leftNanos <= 0) {
                return;
            }
            // A timeout of 0 would be none.
            wait(1 + leftNanos / 1_000_000);
        }
    }
}
