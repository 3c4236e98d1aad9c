// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.Signals;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Passes signals on to the PEs of a job, or of several one after another: the first INT or TERM asks them to end
/// and gives them a grace period, the second ends them at once; the others, QUIT among them, leave the job as it
/// is.
///
/// The script that starts the launcher says by the property [#PROPERTY] whether the signals are blocked, so that
/// they can be taken; if not, they end the launcher, and the PEs with it.
final class SignalForwarding implements AutoCloseable {
    /// Set to "blocked" by the script.
    static final String PROPERTY = "coterie.signals";

    private final Duration grace;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicBoolean listening = new AtomicBoolean();
    private volatile @Nullable Job job;
    private volatile int ending;

    SignalForwarding(Duration grace) {
        this.grace = grace;
    }

    /// Waits for a job's end, passing signals on meanwhile. Returns the exit code: 128 + n if signal n ended
    /// the job.
    int await(Job job) {
        this.job = job;
        if ("blocked".equals(System.getProperty(PROPERTY)) && listening.compareAndSet(false, true)) {
            Signals.listen(over, this::arrived);
        }
        int exitCode = job.await();
        return hasEnded() ? exitCode() : exitCode;
    }

    /// Whether a signal has asked for the end.
    boolean hasEnded() {
        return ending != 0;
    }

    /// The exit code for the signal that has asked for the end.
    int exitCode() {
        return ExitCode.ofSignal(ending);
    }

    private void arrived(Signals.Arrival arrival) {
        Signals signal = arrival.signal();
        switch (signal) {
            case INT, TERM, HUP -> {
                if (ending != 0) {
                    send(Signals.KILL);
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
            send(arrival.signal());
        }
    }

    private void send(Signals signal) {
        Job current = job;
        if (current != null) {
            current.signal(signal.number());
        }
    }

    private void killAfterGrace() {
        try {
            if (!over.await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                send(Signals.KILL);
            }
        } catch (InterruptedException e) {
            send(Signals.KILL);
        }
    }

    /// No job comes any more.
    @Override
    public void close() {
        over.countDown();
    }
}
