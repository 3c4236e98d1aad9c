// SPDX-License-Identifier: Apache-2.0

/// Jobs across hosts. A *coordinator* ([coterie.cluster.JobCoordinator]) serves one job over TCP: it numbers the
/// PEs, carries their values from fence to fence, and reports how PEs end. A process that has the *job key*
/// ([coterie.cluster.JobKey]) is admitted; all others are refused before the coordinator reads anything of theirs
/// but a proof of fixed size.
///
/// ```
///  coterie run --hosts      the launcher has the coordinator; agents pass the key to the PEs
///  mpirun, prun (PMIx)      PE 0 has the coordinator; PMIx carries the key
///  srun (Slurm)             PE 0 has the coordinator; a file of mode 0600 in a shared folder carries the key
///  any scheduler            PE 0 has the coordinator, where environment variables say; a file has the secret
///  any host program         the program has the coordinator, and gives the key to its processes
/// ```
@NullMarked
package coterie.cluster;

import org.jspecify.annotations.NullMarked;
