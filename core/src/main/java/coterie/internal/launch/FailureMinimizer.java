// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/// Finds out which perturbations of a failed performance its failure needs, by having it again with some of them.
public final class FailureMinimizer {
    private FailureMinimizer() {}

    /// What was found.
    ///
    /// @param script the shortest that fails alike
    /// @param left perturbations in it
    /// @param of those that there were
    /// @param isMinimal whether none of them can be left out; else there was no time to find out
    /// @param isRepeatable whether the whole story failed alike when it was played again; else nothing was found
    public record Minimized(SimulationScript script, int left, int of, boolean isMinimal, boolean isRepeatable) {
        /// For people, one phrase.
        public String phrase() {
            if (!isRepeatable) {
                return "the same story again does not fail in the same way: the program depends on more than the seed,"
                        + " such as the real clock or random numbers";
            }
            String count = left + " of " + of + " perturbations";
            return left == 0
                    ? "it fails without any of the " + of + " perturbations"
                    : isMinimal ? "it needs " + count : "no more than " + count + " are needed, as far as time allowed";
        }
    }

    /// Shrinks a story.
    ///
    /// @param limit after which no performance is begun
    /// @param failsAlike plays a script; whether that fails in the same way
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
