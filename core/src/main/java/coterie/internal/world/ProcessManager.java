// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Finds out whether another launcher, such as `mpirun` or Slurm's `srun`, has started this process as one of
/// several. If no bootstrap joins these processes to one job, each becomes a job of its own, which users hardly
/// ever want.
public final class ProcessManager {
    /// The variables by which launchers describe a process.
    ///
    /// @param rank number of the process, from 0
    /// @param size number of processes
    private record Variables(String rank, String size) {}

    /// In the shell of a Slurm batch job, which is no step, only the last pair is set.
    private static final List<Variables> LAUNCHERS = List.of(
            new Variables("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
            new Variables("PMI_RANK", "PMI_SIZE"),
            new Variables("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
            new Variables("SLURM_PROCID", "SLURM_NTASKS"));

    private ProcessManager() {}

    /// Returns the warning that the first of several processes prints; empty for the other processes, for a
    /// process that was started alone, and for a job that a shell in a Slurm batch job starts with several PEs.
    ///
    /// @param pes number of PEs of the job that this process starts or is
    /// @param cause why the process is in no job of that launcher
    public static Optional<String> warning(Map<String, String> environment, int pes, Supplier<String> cause) {
        for (Variables each : LAUNCHERS) {
            String size = environment.getOrDefault(each.size, "1");
            boolean isFirst = "0".equals(environment.get(each.rank));
            boolean isShell = each.size.equals("SLURM_NTASKS") && pes > 1;
            if (isFirst && !isShell && isSeveral(size)) {
                return Optional.of("environment variable " + each.size + " is " + size
                        + ": each process of another launcher (mpirun, srun) is a job of its own here, with " + pes
                        + (pes == 1 ? " PE" : " PEs") + " (" + cause.get() + ")"
                        + "; for one job use 'coterie run -n " + size + "' without that launcher");
            }
        }
        return Optional.empty();
    }

    private static boolean isSeveral(String size) {
        return size.matches("[0-9]{1,9}") && Integer.parseInt(size) > 1;
    }
}
