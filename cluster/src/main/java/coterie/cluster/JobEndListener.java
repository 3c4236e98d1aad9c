// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.spi.PeState;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Gathers the ends of PEs for [JobCoordinator#awaitEnd], and passes all on to another listener.
final class JobEndListener implements JobCoordinator.Listener {
    private final int size;
    private final JobCoordinator.Listener next;

    /// By the numbers of the PEs; the coordinator's thread alone uses it, as it does the field below.
    private final Map<Integer, PeExit> ended = new TreeMap<>();

    private OptionalInt abortCode = OptionalInt.empty();
    private final CompletableFuture<JobEnd> end = new CompletableFuture<>();

    JobEndListener(int size, JobCoordinator.Listener next) {
        this.size = size;
        this.next = next;
    }

    @Override
    public void changed(int pe, PeState state) {
        next.changed(pe, state);
    }

    @Override
    public void ended(int pe, PeState state, int exitCode, String reason) {
        next.ended(pe, state, exitCode, reason);
        ended.put(pe, new PeExit(pe, state, exitCode, reason));
        if (ended.size() == size) {
            end.complete(new JobEnd(abortCode, ended.values().stream().toList()));
        }
    }

    @Override
    public void aborted(int pe, int exitCode) {
        next.aborted(pe, exitCode);
        abortCode = OptionalInt.of(exitCode);
    }

    @Override
    public void refused(String reason) {
        next.refused(reason);
        end.completeExceptionally(new CoterieException("coordinator: " + reason));
    }

    /// The coordinator is closed.
    void closed() {
        end.completeExceptionally(new CoterieException("coordinator: it was closed before all PEs had ended"));
    }

    JobEnd await() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            Throwable why = Objects.requireNonNullElse(e.getCause(), e);
            throw new CoterieException(String.valueOf(why.getMessage()), why);
        }
    }
}
