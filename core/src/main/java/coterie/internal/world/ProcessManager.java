// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Finds out whether another launcher, such as `mpirun` or a scheduler of a cluster, has started this process as
/// one of several. If no bootstrap joins these processes to one job, each becomes a job of its own, which users
/// hardly ever want.
///
/// Launchers tell a process its number and how many there are by two variables whose names begin alike, such as
/// `PMI_RANK` and `PMI_SIZE`: [#RANKS] and [#SIZES] are how they end. Variables of the processes of one node end so,
/// too, and have `LOCAL` or `NODE` before it.
public final class ProcessManager {
    private static final String JOB = "_NTASKS";
    private static final List<String> RANKS = List.of("_RANK", "_PROCID");

    /// How the numbers of processes end. In the shell of a batch job, which is no process of a step, only the last
    /// is set.
    private static final List<String> SIZES = List.of("_SIZE", "_STEP_NUM_TASKS", JOB);

    private static final Pattern OF_A_NODE = Pattern.compile("(.*_)?(LOCAL|NODE)(_.*)?");

    private ProcessManager() {}

    /// Returns the warning that the first of several processes prints; empty for the other processes, for a
    /// process that was started alone, and for a job that a shell in a batch job starts with several PEs.
    ///
    /// @param pes number of PEs of the job that this process starts or is
    /// @param cause why the process is in no job of that launcher
    public static Optional<String> warning(Map<String, String> environment, int pes, Supplier<String> cause) {
        for (String prefix : firstOf(environment)) {
            for (String each : SIZES) {
                String size = environment.getOrDefault(prefix + each, "1");
                boolean isShell = each.equals(JOB) && pes > 1;
                if (!isShell && isSeveral(size)) {
                    return Optional.of("environment variable " + prefix + each + " is " + size
                            + ": each process of another launcher (mpirun, srun) is a job of its own here, with " + pes
                            + (pes == 1 ? " PE" : " PEs") + " (" + cause.get() + ")"
                            + "; for one job use 'coterie run -n " + size + "' without that launcher");
                }
            }
        }
        return Optional.empty();
    }

    /// Returns how the variables of launchers begin for which this process is the first one.
    private static SortedSet<String> firstOf(Map<String, String> environment) {
        SortedSet<String> prefixes = new TreeSet<>();
        environment.forEach((name, value) -> {
            for (String rank : RANKS) {
                if (value.equals("0") && name.endsWith(rank)) {
                    String prefix = name.substring(0, name.length() - rank.length());
                    if (!OF_A_NODE.matcher(prefix).matches()) {
                        prefixes.add(prefix);
                    }
                }
            }
        });
        return prefixes;
    }

    private static boolean isSeveral(String size) {
        return size.matches("[0-9]{1,9}") && Integer.parseInt(size) > 1;
    }
}
