// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.spi.PeJob;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/// Joins the job of a launcher that serves PMIx: Open MPI's `mpirun`, `prun`, `srun --mpi=pmix`. PMIx gives the
/// numbers, and carries the key of the coordinator, which PE 0 has, to the other PEs; then the PEs need it no
/// more.
public final class PmixBootstrap extends ClusterBootstrap {
    private static final String NAMESPACE = "PMIX_NAMESPACE";
    private static final String RANK = "PMIX_RANK";
    private static final String KEY = "coterie.key";

    private final Map<String, String> environment;
    private final String library;

    /// For the service loader.
    public PmixBootstrap() {
        this(System.getenv(), PmixLibrary.NAME);
    }

    PmixBootstrap(Map<String, String> environment, String library) {
        super("pmix");
        this.environment = environment;
        this.library = library;
    }

    /// Returns whether a launcher with PMIx has started the process of this environment.
    static boolean isNamed(Map<String, String> environment) {
        return environment.containsKey(NAMESPACE) && environment.containsKey(RANK);
    }

    @Override
    public Optional<String> refusal() {
        for (String variable : new String[] {NAMESPACE, RANK}) {
            if (!environment.containsKey(variable)) {
                return Optional.of("the environment variable " + variable
                        + " is not set, so that no launcher with PMIx has started this process");
            }
        }
        return PmixLibrary.missing(library);
    }

    @Override
    public PeJob join() {
        PmixLibrary pmix = PmixLibrary.load();
        pmix.open();
        int pe = pmix.rank();
        int size = pmix.jobNumber("pmix.job.size");
        if (size < 1) {
            throw new CoterieException("join: PMIx does not tell the number of processes of the job (pmix.job.size)");
        }
        int local = pmix.jobNumber("pmix.local.size");
        int pesOfNode = local < 1 ? size : local;
        HostingPe.checkListen(context(), (size + pesOfNode - 1) / pesOfNode);
        JobCoordinator coordinator = null;
        boolean isOpen = false;
        JobKey key;
        try {
            if (pe == 0) {
                coordinator = HostingPe.open(context(), size);
                pmix.put(KEY, coordinator.key().text().getBytes(StandardCharsets.UTF_8));
            }
            pmix.fence();
            key = coordinator == null
                    ? JobKey.parse(new String(pmix.bytes(0, KEY), StandardCharsets.UTF_8), "PMIx")
                    : coordinator.key();
            pmix.close();
            isOpen = true;
        } finally {
            if (!isOpen && coordinator != null) {
                coordinator.close();
            }
        }
        return HostingPe.join(context(), key, pe, size, pesOfNode, coordinator, JobClock.SYSTEM);
    }
}
