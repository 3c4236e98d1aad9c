// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Checks a job's parameters before the launcher starts a process.
final class JobSpecValidator {
    private static final int MOST_PORT = 65_535;

    private JobSpecValidator() {}

    static void check(JobSpec spec) {
        int pes = spec.pes();
        int most = spec.mode().maxPes();
        if (pes < 1 || pes > most) {
            throw refused(spec, pes + " PEs are outside [1, " + most + "]");
        }
        if (spec.heapBytes() < 0) {
            throw refused(spec, "a symmetric heap of " + spec.heapBytes() + " bytes is outside [0, 2^63)");
        }
        if (!spec.nodes().isEmpty() && spec.nodes().size() != pes) {
            throw refused(spec, "nodes are named for " + spec.nodes().size() + " PEs, and there are " + pes);
        }
        for (int node : spec.nodes()) {
            if (node < 0 || node >= pes) {
                throw refused(spec, "node " + node + " is outside [0, " + pes + "), the most nodes of so many PEs");
            }
        }
        int port = spec.debugPort();
        if (port < 0 || port > MOST_PORT + 1 - pes) {
            throw refused(
                    spec, "debug ports " + port + " to " + (port + pes - 1) + " are outside [1, " + MOST_PORT + "]");
        }
        if (spec.mode() != PeMode.PROCESSES && spec.binding() != CpuBinding.NONE) {
            throw refused(spec, "binding to processors needs PEs as processes; leave binding out, or choose processes");
        }
        requireStage(spec);
        Path java = spec.java().resolve("bin/java");
        if (!Files.isExecutable(java)) {
            throw new CoterieException(
                    "starting job " + spec.name() + ": there is no Java at " + java + "; name the home of a JDK 25");
        }
    }

    private static void requireStage(JobSpec spec) {
        JobSpec.SimulatorSpec simulator = spec.simulator();
        if ((spec.mode() == PeMode.SIMULATED) != (simulator != null)) {
            throw refused(
                    spec, "mode " + spec.mode() + " with simulator " + simulator + "; only the mode SIMULATED has one");
        }
        if (simulator != null) {
            try {
                SimulatorDiscovery.find(simulator.name());
            } catch (IllegalArgumentException e) {
                throw refused(spec, String.valueOf(e.getMessage()));
            }
        }
    }

    private static IllegalArgumentException refused(JobSpec spec, String why) {
        return new IllegalArgumentException("starting job " + spec.name() + ": " + why);
    }
}
