// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.Signals;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Passes signals on to the PEs of a job, or of several jobs one after another. The first HUP, INT or TERM asks
/// the PEs to end within a grace period; a second one kills them. The other signals, such as QUIT, do not end the
/// job.
///
/// The script sets the property [#PROPERTY] if it has started the launcher with these signals blocked. If it has
/// not, a signal ends the launcher, and the kernel ends the PEs with it.
final class SignalForwarding implements AutoCloseable {
    /// The system property that the script sets to "blocked".
    static final String PROPERTY = "coterie.signals";

    private final Duration grace;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Signals.@Nullable Listener listener;
    private volatile @Nullable Job job;
    /// The signal that asked for the end, or 0.
    private volatile int endingSignal;

    SignalForwarding(Duration grace) {
        this.grace = grace;
    }

    /// Passes signals on until the job has ended. Returns the exit code: 128 + n if signal n ended the job.
    int await(Job job) {
        this.job = job;
        if ("blocked".equals(System.getProperty(PROPERTY)) && listener == null) {
            listener = Signals.listen(this::arrived);
        }
        int exitCode = job.await();
        return hasEnded() ? exitCode() : exitCode;
    }

    /// Returns whether a signal has asked for the end.
    boolean hasEnded() {
        return endingSignal != 0;
    }

    /// Returns the exit code for the signal that has asked for the end.
    int exitCode() {
        return ExitCode.ofSignal(endingSignal);
    }

    private void arrived(Signals.Arrival arrival) {
        Signals signal = arrival.signal();
        switch (signal) {
            case INT, TERM, HUP -> {
                if (endingSignal != 0) {
                    send(Signals.KILL);
                    return;
                }
                endingSignal = signal.number();
                pass(arrival);
                Thread.ofPlatform().daemon().name("coterie-grace").start(this::killAfterGrace);
            }
            default -> pass(arrival);
        }
    }

    /// Sends a signal to the PEs, unless the terminal has done so: PEs of this machine are in its foreground
    /// process group.
    private void pass(Signals.Arrival arrival) {
        Job current = job;
        if (!arrival.fromTerminal() || (current != null && current.hasHosts())) {
            send(arrival.signal());
        } else if (current != null && endingSignal != 0) {
            current.askedToEnd(endingSignal);
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
            if (!closed.await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                send(Signals.KILL);
            }
        } catch (InterruptedException e) {
            send(Signals.KILL);
        }
    }

    /// Stops forwarding. No job may follow.
    @Override
    public void close() {
        closed.countDown();
        if (listener != null) {
            listener.close();
        }
    }
}
