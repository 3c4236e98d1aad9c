// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.util.Map;

/// Test classes of the fast tier that may take longer than its limit: the last resort, for a law that neither fits into
/// several classes nor may wait for the soak tier.
final class OverdueClasses {
    private static final String SEARCH =
            "its search for the fewest perturbations starts a JVM after each run that fails";
    private static final String ORDERS = "a mutation is found in some orders of events alone, and fewer of them miss it";
    private static final String JOBS = "it starts jobs for each of its laws, and still has to become two classes";

    /// The full name of each class, with the reason.
    static final Map<String, String> REASONS = Map.of(
            "coterie.junit.ShrinkingTest",
            SEARCH,
            "coterie.cli.SimulatedRunsTest",
            SEARCH,
            "coterie.gin.GinMutationTest",
            ORDERS,
            "coterie.sim.mutation.StrongSignalMutationTest",
            ORDERS,
            "coterie.conformance.DiagnosisTest",
            JOBS,
            "coterie.cluster.BootstrapsTest",
            JOBS,
            "coterie.conformance.RequestNodesConformanceTest",
            JOBS);

    private OverdueClasses() {}
}
