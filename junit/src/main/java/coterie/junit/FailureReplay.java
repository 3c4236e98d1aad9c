// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.FailureMinimizer;
import coterie.internal.launch.JobFailure;
import coterie.internal.launch.SimulationScript;
import java.time.Duration;

/// Has a performance again that has failed, to say what the failure needs.
///
/// @param timeout of one performance
record FailureReplay(WorkerPool pool, JobShape shape, TestMethod test, Duration timeout) {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /// What to say about a test that did not pass: how to have its performance again, in lines; empty where its
    /// PEs could not tell.
    String note(ResultReporter resultReporter) throws Throwable {
        String told = resultReporter.run().story();
        if (told == null || told.isEmpty()) {
            return "";
        }
        SimulationScript story = SimulationScript.parse(told);
        String seed = "Repeat with -D" + Seeds.SETTINGS + "=" + story.withoutSchedule();
        JobFailure failure = resultReporter.failure().orElse(null);
        if (failure == null || story.perturbations() == 0) {
            return seed;
        }
        try {
            FailureMinimizer.Minimized minimized =
                    FailureMinimizer.of(story, LIMIT, script -> failsAlike(script, failure));
            return seed + System.lineSeparator() + "Shrunk: " + minimized.phrase()
                    + (minimized.isRepeatable() ? "; repeat with -D" + Seeds.SETTINGS + "=" + minimized.script() : "");
        } catch (UnreplayableException e) {
            throw e.getCause();
        }
    }

    private boolean failsAlike(SimulationScript script, JobFailure failure) {
        try {
            return pool.judge(shape, test, Seeds.only(script), timeout)
                    .failure()
                    .filter(failure::isLike)
                    .isPresent();
        } catch (Throwable e) {
            throw new UnreplayableException(e);
        }
    }

    /// The PEs can't be started.
    private static final class UnreplayableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final Throwable why;

        UnreplayableException(Throwable why) {
            super(why);
            this.why = why;
        }

        @Override
        public synchronized Throwable getCause() {
            return why;
        }
    }
}
