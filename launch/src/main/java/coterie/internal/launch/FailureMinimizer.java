// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/// Finds the perturbations that the failure of a simulated run needs, by repeating the run with some of them.
public final class FailureMinimizer {
    private FailureMinimizer() {}

    /// The result of a search.
    ///
    /// @param script the shortest script that fails in the same way
    /// @param left number of its perturbations
    /// @param of number of perturbations of the whole script
    /// @param isMinimal whether the failure needs each of them; if not, the time limit ended the search
    /// @param isRepeatable whether the whole script failed in the same way again; if not, there was no search
    public record Minimized(SimulationScript script, int left, int of, boolean isMinimal, boolean isRepeatable) {
        /// Returns the result as one phrase for users.
        public String phrase() {
            if (!isRepeatable) {
                return "the same run does not fail in the same way again: the program depends on more than the seed,"
                        + " such as the real clock or random numbers";
            }
            String count = left + " of " + of + " perturbations";
            return left == 0
                    ? "the program fails without any of the " + of + " perturbations"
                    : isMinimal
                            ? "the failure needs " + count
                            : "the failure needs at most " + count + "; the time limit ended the search";
        }
    }

    /// Searches for the shortest script that fails as a failed run did.
    ///
    /// @param story the script of the failed run
    /// @param limit time after which the search starts no other run
    /// @param failsAlike runs a script, and returns whether it fails in the same way
    public static Minimized of(SimulationScript story, Duration limit, Predicate<SimulationScript> failsAlike) {
        long begin = System.nanoTime();
        List<String> whole = story.schedule();
        if (!failsAlike.test(story)) {
            return new Minimized(story, whole.size(), whole.size(), false, false);
        }
        DeltaDebugger.Result<String> result = DeltaDebugger.minimize(
                whole,
                part -> failsAlike.test(story.withSchedule(part)),
                () -> System.nanoTime() - begin < limit.toNanos());
        return new Minimized(
                story.withSchedule(result.items()), result.items().size(), whole.size(), result.isMinimal(), true);
    }
}
