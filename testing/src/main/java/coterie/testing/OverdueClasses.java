// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.util.Map;

/// Test classes of the fast tier that may take longer than its limit: the last resort, for a law that neither fits into
/// several classes nor may wait for the soak tier.
final class OverdueClasses {
    /// The full name of each class, with the reason.
    static final Map<String, String> REASONS = Map.of(
            "coterie.junit.ShrinkingTest",
            "a search for the fewest perturbations starts a JVM after each run that fails");

    private OverdueClasses() {}
}
