// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import coterie.internal.mapped.SegmentlessConduit;
import coterie.internal.wait.PeRuntime;
import coterie.spi.PeJob;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.IntStream;

/// Finds out whether the PEs of a job without a control segment can map each other's memory. They try: names of hosts
/// and users prove nothing, since containers share them.
///
/// ```
///  each PE   publishes a file in memory ── fence ── opens those of all others ── publishes its verdict ── fence
/// ```
///
/// All PEs read the verdicts of all, so that all choose the same conduit.
final class MappingProof {
    private static final String VERDICT = "coterie.mapped";

    private MappingProof() {}

    /// Returns why the PEs of a job need not try, in one phrase; empty if they try. All PEs find the same answer.
    static Optional<String> objection(PeJob job, boolean loadStore) {
        if (!loadStore) {
            return Optional.of("the setting LOAD_STORE forbids it");
        }
        int node = job.node(0);
        return IntStream.range(1, job.size()).allMatch(pe -> job.node(pe) == node)
                ? Optional.empty()
                : Optional.of("the PEs of the job are on several nodes");
    }

    /// Tries, with all other PEs.
    ///
    /// @param conduit that has published its memory
    /// @param runtime in whose room this PE waits for the others
    /// @return why a PE can't map the memory of another, in one phrase; empty if all can
    /// @throws IllegalArgumentException if PEs of the job would use different conduits
    static Optional<String> exchange(WorldJob worldJob, SegmentlessConduit conduit, PeRuntime runtime) {
        PeJob job = worldJob.job;
        JoinFence.await(job, runtime);
        for (int pe = 0; pe < job.size(); pe++) {
            if (!worldJob.hasConduit(pe, ConduitProviders.MAPPED)) {
                throw new IllegalArgumentException("settings CONDUIT and LOAD_STORE: they select "
                        + ConduitProviders.MAPPED + " on PE " + job.pe() + ", but another conduit on PE " + pe
                        + "; set the same values on all PEs, and keep them as long as the job lives");
            }
        }
        job.put(VERDICT, attempt(conduit).getBytes(StandardCharsets.UTF_8));
        JoinFence.await(job, runtime);
        return IntStream.range(0, job.size())
                .mapToObj(pe -> new String(job.get(pe, VERDICT).orElseThrow(), StandardCharsets.UTF_8))
                .filter(verdict -> !verdict.isEmpty())
                .findFirst();
    }

    private static String attempt(SegmentlessConduit conduit) {
        try {
            conduit.attachAll();
            return "";
        } catch (CoterieException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
