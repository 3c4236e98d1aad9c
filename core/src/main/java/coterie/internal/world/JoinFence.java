// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.util.List;
import java.util.OptionalInt;

/// The fence of a join, after which each PE reads what all PEs have put.
final class JoinFence implements Awaitable {
    private final PeJob job;
    private final PeRuntime runtime;
    private final long ticket;

    private JoinFence(PeJob job, PeRuntime runtime, long ticket) {
        this.job = job;
        this.runtime = runtime;
        this.ticket = ticket;
    }

    /// Waits until all PEs have come.
    ///
    /// @throws PeFailedException if a PE has ended before
    static void await(PeJob job, PeRuntime runtime) {
        long ticket = job.fence();
        if (ticket != 0) {
            runtime.room().awaitWork(new JoinFence(job, runtime, ticket), WaitingRoom.FOREVER);
        }
    }

    @Override
    public boolean poll() {
        if (job.isFenced(ticket)) {
            return true;
        }
        if (runtime.hasFailures()) {
            check();
        }
        return false;
    }

    private void check() {
        OptionalInt code = job.abortCode();
        if (code.isPresent()) {
            throw new CoterieException(
                    "join on PE " + job.pe() + ": the job was aborted with exit code " + code.getAsInt());
        }
        for (int pe = 0; pe < job.size(); pe++) {
            PeState state = job.state(pe);
            if (state.hasTerminated() && !job.isFenced(ticket)) {
                throw new PeFailedException(
                        "join on PE " + job.pe() + ": PE " + pe + " " + runtime.terminationCause(pe), List.of(pe));
            }
        }
    }

    @Override
    public OperationKind kind() {
        return OperationKind.JOIN;
    }

    @Override
    public String text() {
        return "the fence of all PEs";
    }
}
