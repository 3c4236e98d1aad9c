// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.util.Map;

/// Test classes of the fast tier that may take longer than its limit, or come near to it. Each entry is a debt: the
/// class has to become two, or to leave its long part to the soak tier.
final class OverdueClasses {
    private static final String SEARCH =
            "its search for the fewest perturbations starts a JVM after each run that fails";
    private static final String ORDERS = "what it looks for happens in some orders of events alone";
    private static final String JOBS = "it starts jobs for each of its laws";
    private static final String PES = "it needs many PEs, numbers of PEs or compilers";

    /// The full name of each class, with the reason.
    static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("coterie.cli.HostsTest", JOBS),
            Map.entry("coterie.cli.LauncherTest", JOBS),
            Map.entry("coterie.conformance.CoarrayJobsTest", JOBS),
            Map.entry("coterie.conformance.LateFailureTest", JOBS),
            Map.entry("coterie.conformance.DiagnosisTest", JOBS),
            Map.entry("coterie.cluster.BootstrapsTest", JOBS),
            Map.entry("coterie.examples.GpuExamplesTest", JOBS),
            Map.entry("coterie.examples.ExamplesTest", JOBS),
            Map.entry("coterie.examples.FileLayerTest", JOBS),
            Map.entry("coterie.examples.NasBenchmarksTest", JOBS),
            Map.entry("coterie.examples.LateCallsTest", JOBS),
            Map.entry("coterie.examples.RightProgramsTest", JOBS),
            Map.entry("coterie.examples.StarvationTest", JOBS),
            Map.entry("coterie.examples.StuckCallsTest", JOBS),
            Map.entry("coterie.internal.launch.FaultProductTest", JOBS),
            Map.entry("coterie.conformance.RequestNodesConformanceTest", PES),
            Map.entry("coterie.conformance.TeamAllocationConformanceTest", PES),
            Map.entry("coterie.conformance.CollectiveConformanceTest", PES),
            Map.entry("coterie.conformance.TeamQueryConformanceTest", PES),
            Map.entry("coterie.junit.ShrinkingTest", SEARCH),
            Map.entry("coterie.cli.SimulatedRunsTest", SEARCH),
            Map.entry("coterie.gin.GinMutationTest", ORDERS),
            Map.entry("coterie.gin.GinSimulationTest", ORDERS),
            Map.entry("coterie.sim.mutation.StrongSignalMutationTest", ORDERS),
            Map.entry("coterie.sim.PlanTasksTest", ORDERS));

    private OverdueClasses() {}
}
