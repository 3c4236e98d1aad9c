// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;

/// The wait of a PE that has sent JOIN, until all PEs have.
final class JobStart {
    /// The coordinator has its own limits, this one only ends a receive.
    private static final long JOIN_TICK_NANOS = 250_000_000;

    private JobStart() {}

    /// Returns the message START.
    ///
    /// @param place of the coordinator
    /// @param isInterruptible whether an interrupt of the calling thread ends the wait
    /// @throws PeFailedException if a PE has ended before
    /// @throws CoterieException if the coordinator refuses this process, or the job was aborted
    static JobFrame await(JobLink link, String place, boolean isInterruptible, JobClock clock) throws IOException {
        while (true) {
            if (isInterruptible && Thread.currentThread().isInterrupted()) {
                throw new CoterieException("join: the thread was interrupted before all PEs had joined the job of the"
                        + " coordinator at " + place);
            }
            link.keepAlive(link.silenceNanos() / CoordinatorLoop.MESSAGES_PER_SILENCE);
            JobFrame frame = link.receive(JOIN_TICK_NANOS);
            if (frame == null) {
                if (clock.nanoTime() - link.heardNanos() > link.silenceNanos()) {
                    throw new SocketTimeoutException("no message came from it for "
                            + Duration.ofNanos(link.silenceNanos()).toMillis() + " ms");
                }
                continue;
            }
            switch (frame.kind()) {
                case START -> {
                    return frame;
                }
                case REFUSED ->
                    throw new CoterieException("join: the coordinator at " + place + " refuses: " + frame.text());
                case ABORT -> throw new CoterieException("join: the job was aborted with exit code " + frame.number());
                case STATE -> requireNoEnd(frame);
                case ALIVE, LEFT -> {}
                default -> throw new ProtocolException("it sends " + frame.kind() + " before START");
            }
        }
    }

    private static void requireNoEnd(JobFrame frame) throws ProtocolException {
        int pe = frame.number();
        PeState state = PeState.values()[Math.clamp(frame.number(), 0, PeState.values().length - 1)];
        int exitCode = frame.number();
        frame.longNumber();
        String reason = frame.text();
        if (state.hasTerminated()) {
            throw new PeFailedException(
                    "join: PE " + pe + " ended before all PEs had joined ("
                            + (exitCode == PeJob.UNKNOWN_EXIT_CODE ? reason : "exit code " + exitCode) + ")",
                    List.of(pe));
        }
    }
}
