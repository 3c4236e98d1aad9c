// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds out whether another launcher, such as `mpirun` or a scheduler of a cluster, has started this process as
/// one of several. If no bootstrap joins these processes to one job, each becomes a job of its own, which users
/// hardly ever want.
///
/// Launchers tell a process its number and how many there are by two variables whose names begin alike: those of MPI
/// end with `COMM_WORLD_RANK` and `COMM_WORLD_SIZE`, those of the process managers' common interface are `PMI_RANK` and
/// `PMI_SIZE`, and those of a scheduler end with `_PROCID`, and `_STEP_NUM_TASKS` or `_NTASKS`. Other pairs may be a
/// program's own.
public final class ProcessManager {
    private static final String JOB = "_NTASKS";

    private static final List<Names> NAMES = List.of(
            new Names("(.*COMM_WORLD|PMI)_RANK", "_SIZE"),
            new Names("(.+)_PROCID", "_STEP_NUM_TASKS"),
            new Names(
                    "(.+)_PROCID", JOB)); // in the shell of a batch job, which is no process of a step, this one alone

    private ProcessManager() {}

    /// How the variables of a launcher are named.
    ///
    /// @param rank a pattern, of which the group is how both begin
    /// @param size how the number of processes ends
    private record Names(Pattern rank, String size) {
        Names(String rank, String size) {
            this(Pattern.compile(rank), size);
        }
    }

    /// Returns the warning that the first of several processes prints; empty for the other processes, for a
    /// process that was started alone, and for a job that a shell in a batch job starts with several PEs.
    ///
    /// @param pes number of PEs of the job that this process starts or is
    /// @param cause why the process is in no job of that launcher
    public static Optional<String> warning(Map<String, String> environment, int pes, Supplier<String> cause) {
        Map<String, String> sorted = new TreeMap<>(environment);
        for (Names each : NAMES) {
            for (Map.Entry<String, String> variable : sorted.entrySet()) {
                Matcher rank = each.rank.matcher(variable.getKey());
                if (rank.matches() && variable.getValue().equals("0")) {
                    String name = rank.group(1) + each.size;
                    String size = sorted.getOrDefault(name, "1");
                    boolean isShell = each.size.equals(JOB) && pes > 1;
                    if (!isShell && isSeveral(size)) {
                        return Optional.of("environment variable " + name + " is " + size
                                + ": each process of another launcher (mpirun, srun) is a job of its own here, with "
                                + pes + (pes == 1 ? " PE" : " PEs") + " (" + cause.get() + ")"
                                + "; for one job use 'coterie run -n " + size + "' without that launcher");
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isSeveral(String size) {
        return size.matches("[0-9]{1,9}") && Integer.parseInt(size) > 1;
    }
}
