// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/// Judges the classes that took longer than the tier allows. A class fails the build only if it is certain that it
/// would have taken too long on a machine that does nothing else: a build that fails means a fault.
///
/// @param seconds    how long a class may take on the reference machine; infinite if there is no limit
/// @param processors those that the build may use
/// @param slowdown   how many times as long as the reference machine this one takes; measured only if a class took long
/// @param exempt     names of classes without a limit
record ClassLimit(double seconds, int processors, DoubleSupplier slowdown, Set<String> exempt) {

    /// By how much the measure of a machine's speed may be wrong.
    private static final double SPEED_ERROR = 1.2;

    /// @param failures each a sentence that names a class and the remedy
    /// @param withheld each a sentence that names a class, and why there is no verdict on it
    record Verdicts(List<String> failures, List<String> withheld) {}

    /// @param modules what each module took; a report's module may be missing, if it didn't end
    Verdicts judge(List<TestReport> reports, Map<String, ModuleTime> modules) {
        List<TestReport> tooLong = reports.stream()
                .filter(report -> report.seconds() > seconds && report.isFast() && !exempt.contains(report.className()))
                .toList();
        List<String> failures = new ArrayList<>();
        List<String> withheld = new ArrayList<>();
        double allowed = tooLong.isEmpty() ? seconds : seconds * Math.max(1, SPEED_ERROR * slowdown.getAsDouble());
        for (TestReport report : tooLong) {
            String subject = String.format(Locale.ROOT, "%s took %.1f s", report, report.seconds());
            doubt(report, modules.get(report.module()), allowed)
                    .ifPresentOrElse(
                            why -> withheld.add("no verdict: " + subject + ", but " + why),
                            () -> failures.add(subject
                                    + String.format(Locale.ROOT, "; a class of the fast tier has %.0f s: ", seconds)
                                    + "split it, or move its long part into the soak tier (CONTRIBUTING.md, Tests)"));
        }
        return new Verdicts(failures, withheld);
    }

    private Optional<String> doubt(TestReport report, @Nullable ModuleTime module, double allowed) {
        if (module == null) {
            return Optional.of(report.module() + " did not end");
        }
        Optional<String> doubt = module.doubt(processors);
        // What delayed the module may have delayed this class alone.
        double foreign = module.foreignSeconds().orElse(report.seconds());
        return doubt.isPresent() || report.seconds() - foreign > allowed
                ? doubt
                : Optional.of(String.format(
                        Locale.ROOT,
                        "others may have delayed it by %.1f s, and it has %.1f s on a machine of this speed",
                        foreign,
                        allowed));
    }
}
