// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.net.ProtocolException;
import java.util.BitSet;

/// The time in which the PEs of a job come to the coordinator that takes over, and how it ends. One thread uses it.
final class Resumption {
    private static final PeState[] STATES = PeState.values();

    private final int size;
    private final int me;
    private final int former;
    private final long deadlineNanos;
    private final JobClock clock;
    private final BitSet here = new BitSet();

    /// @param me the PE that takes over
    /// @param former the PE that had the coordinator, whose process has ended
    /// @param boundNanos time for the PEs to come
    Resumption(int size, int me, int former, long boundNanos, JobClock clock) {
        this.size = size;
        this.me = me;
        this.former = former;
        this.deadlineNanos = clock.nanoTime() + boundNanos;
        this.clock = clock;
    }

    /// Takes what a PE knows. Returns its number, or −1 for the PE that had the coordinator, which counts as failed.
    ///
    /// @throws ProtocolException if there is no such PE or state
    int take(JobFrame frame, JobLedger ledger) throws ProtocolException {
        int pe = checked(frame.number());
        if (pe == former) {
            return PeerSocket.NO_PE;
        }
        PeState its = state(frame.number());
        int abortCode = frame.number();
        while (frame.body().hasRemaining()) {
            int which = checked(frame.number());
            PeState state = state(frame.number());
            int exitCode = frame.number();
            long order = frame.longNumber();
            String reason = frame.text();
            if (state.hasTerminated() || !here.get(which)) { // what a PE says of itself counts
                ledger.merge(which, state, exitCode, order, reason);
            }
        }
        ledger.merge(pe, its, PeJob.UNKNOWN_EXIT_CODE, 0, "");
        if (abortCode >= 0 && !ledger.isAborted()) {
            ledger.abort(abortCode);
        }
        here.set(pe);
        return pe;
    }

    private int checked(int pe) throws ProtocolException {
        if (pe < 0 || pe >= size) {
            throw new ProtocolException("there is no PE " + pe);
        }
        return pe;
    }

    private static PeState state(int ordinal) throws ProtocolException {
        if (ordinal < 0 || ordinal >= STATES.length) {
            throw new ProtocolException("there is no state " + ordinal);
        }
        return STATES[ordinal];
    }

    /// Returns whether no PE is awaited any more.
    boolean isOver(JobLedger ledger) {
        return missing(ledger).isEmpty() || clock.nanoTime() - deadlineNanos >= 0;
    }

    /// A PE outside of the job needs no coordinator, and does not come.
    private BitSet missing(JobLedger ledger) {
        BitSet missing = new BitSet();
        for (int pe = 0; pe < size; pe++) {
            PeState state = ledger.state(pe);
            if (pe != former && !here.get(pe) && !state.hasTerminated() && state != PeState.CLOSED) {
                missing.set(pe);
            }
        }
        return missing;
    }

    /// Ends the time: PEs that have not come count as failed, the former coordinator's first.
    void conclude(JobLedger ledger) {
        String why = "its process, which had the coordinator, ended";
        end(former, why, ledger);
        for (int pe = 0; pe < size; pe++) {
            if (!here.get(pe)) {
                end(pe, "it did not come to PE " + me + ", which has taken over the coordinator", ledger);
            }
        }
    }

    private static void end(int pe, String why, JobLedger ledger) {
        if (ledger.state(pe) == PeState.CLOSED) {
            ledger.end(pe, PeState.ENDED, 0, "");
        } else {
            ledger.end(pe, PeState.FAILED, PeJob.UNKNOWN_EXIT_CODE, why);
        }
    }
}
