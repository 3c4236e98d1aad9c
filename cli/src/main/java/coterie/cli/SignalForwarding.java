// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.Signals;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Passes signals on to the PEs of a job: the first INT or TERM asks them to end and gives them a grace period,
/// the second ends them at once; the others, QUIT among them, leave the job as it is.
///
/// The script that starts the launcher says by the property [#PROPERTY] whether the signals are blocked, so that
/// they can be taken; if not, they end the launcher, and the PEs with it.
final class SignalForwarding {
    /// Set to "blocked" by the script.
    static final String PROPERTY = "coterie.signals";

    private final Job job;
    private final Duration grace;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile int ending;

    SignalForwarding(Job job, Duration grace) {
        this.job = job;
        this.grace = grace;
    }

    /// Waits for the job's end, passing signals on meanwhile. Returns the exit code: 128 + n if signal n ended
    /// the job.
    int await() {
        if ("blocked".equals(System.getProperty(PROPERTY))) {
            Signals.listen(over, this::arrived);
        }
        int exitCode = job.await();
        over.countDown();
        return ending == 0 ? exitCode : ExitCode.ofSignal(ending);
    }

    private void arrived(Signals.Arrival arrival) {
        Signals signal = arrival.signal();
        switch (signal) {
            case INT, TERM, HUP -> {
                if (ending != 0) {
                    job.signal(Signals.KILL.number());
                    return;
                }
                ending = signal.number();
                pass(arrival);
                Thread.ofPlatform().daemon().name("coterie-grace").start(this::killAfterGrace);
            }
            default -> pass(arrival);
        }
    }

    /// What the terminal sends reaches the PEs without us: they are of its foreground group, as we are.
    private void pass(Signals.Arrival arrival) {
        if (!arrival.fromTerminal()) {
            job.signal(arrival.signal().number());
        }
    }

    private void killAfterGrace() {
        try {
            if (!over.await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                job.signal(Signals.KILL.number());
            }
        } catch (InterruptedException e) {
            job.signal(Signals.KILL.number());
        }
    }
}
