// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.ElementType;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The check at the begin of a fit: either all PEs go on, or all throw the same exception, so that no PE waits for
/// one that has thrown. It costs one reduction of some words.
final class CommonArguments {
    private CommonArguments() {}

    /// What all PEs must pass alike.
    ///
    /// @param bits equal if the values are
    record Setting(String name, long bits) {
        static Setting of(String name, long value) {
            return new Setting(name, value);
        }

        static Setting of(String name, double value) {
            return new Setting(name, Double.doubleToLongBits(value));
        }
    }

    /// Checks on all PEs. Collective.
    ///
    /// @param problem of the caller's own arguments, a message; null if there is none
    /// @param settings in one order on all PEs
    /// @throws IllegalArgumentException on all PEs with one message: the problem of the first PE that has one, or a
    ///     setting that differs
    static void check(World world, String operation, @Nullable String problem, List<Setting> settings) {
        Team team = world.team();
        long[] votes = new long[1 + 2 * settings.size()];
        votes[0] = problem == null ? world.size() : world.pe();
        for (int i = 0; i < settings.size(); i++) {
            votes[1 + 2 * i] = settings.get(i).bits();
            votes[2 + 2 * i] = ~settings.get(i).bits(); // whose minimum is the complement of the maximum
        }
        team.allReduce(Reduction.MIN, votes);
        if (votes[0] < world.size()) {
            String message = messageOf(team, problem, (int) votes[0]);
            throw together(team, new IllegalArgumentException(message));
        }
        for (int i = 0; i < settings.size(); i++) {
            if (votes[1 + 2 * i] != ~votes[2 + 2 * i]) {
                String name = settings.get(i).name();
                throw together(
                        team,
                        new IllegalArgumentException(
                                operation + ": the PEs pass different values of " + name + "; pass the same on all"));
            }
        }
    }

    /// Returns an exception that all PEs throw, when all are about to: a PE that has thrown fails, and its failure
    /// would end the collective in which another learns of the reason. Collective.
    static <X extends RuntimeException> X together(Team team, X exception) {
        team.syncLiving();
        return exception;
    }

    private static String messageOf(Team team, @Nullable String problem, int pe) {
        byte[] text = problem == null ? new byte[0] : problem.getBytes(StandardCharsets.UTF_8);
        long[] length = {text.length};
        team.broadcast(length, pe);
        byte[] common = team.member() == pe ? text : new byte[(int) length[0]];
        team.broadcast(ElementType.BYTE, MemorySegment.ofArray(common), pe);
        return new String(common, StandardCharsets.UTF_8);
    }

    /// Returns what is wrong with the rows of a PE, or null.
    ///
    /// @param allowsNaN whether NaN is a value, a missing one; infinities never are
    static @Nullable String problemOfRows(
            String operation, int pe, double @Nullable [] rows, int dimensions, boolean allowsNaN) {
        String caller = operation + " on PE " + pe;
        if (rows == null) {
            return caller + ": the rows are null; a PE without rows passes an empty array";
        }
        if (dimensions < 1) {
            return caller + ": rows of " + dimensions + " numbers; a row has at least 1";
        }
        if (rows.length % dimensions != 0) {
            return caller + ": " + rows.length + " numbers are no whole rows of " + dimensions;
        }
        for (int i = 0; i < rows.length; i++) {
            if (!Double.isFinite(rows[i]) && !(allowsNaN && Double.isNaN(rows[i]))) {
                return caller + ": row " + i / dimensions + " of this PE has " + rows[i] + " as number "
                        + i % dimensions + "; only finite numbers " + (allowsNaN ? "and NaN " : "") + "are allowed";
            }
        }
        return null;
    }
}
