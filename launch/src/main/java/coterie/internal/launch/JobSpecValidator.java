// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.internal.posix.ProcFile;
import java.nio.file.Files;
import java.nio.file.Path;

/// Checks a job's parameters before the launcher starts a process.
final class JobSpecValidator {
    private static final int MOST_PORT = 65_535;

    private static final Path MAX_MAPPINGS = Path.of("/proc/sys/vm/max_map_count");

    /// A stack and its guard pages, and one in reserve.
    private static final long THREAD_MAPPINGS = 3;

    /// A host with one PE has some 200 mappings; the rest is for threads of the program.
    private static final long JVM_MAPPINGS = 1000;

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
        HostPlan hosts = spec.hosts();
        if (hosts != null && (hosts.pes() != pes || spec.mode() != PeMode.PROCESSES || port != 0)) {
            throw refused(
                    spec,
                    "its hosts have " + hosts.pes() + " PEs, and the job has " + pes + " in mode " + spec.mode()
                            + " with debug port " + port
                            + "; PEs on several hosts are as many, are processes, and have no debug port");
        }
        requireMappings(spec, maxMappings());
        requireStage(spec);
        Path java = spec.java().resolve("bin/java");
        if (!Files.isExecutable(java)) {
            throw new CoterieException(
                    "starting job " + spec.name() + ": there is no Java at " + java + "; name the home of a JDK 25");
        }
    }

    /// Refuses PEs as threads that need more mappings than a process may have: each PE maps the memory of every
    /// PE. The JVM itself and each thread need some, too, measured with margin.
    static void requireMappings(JobSpec spec, long max) {
        long pes = spec.pes();
        long needed = pes * pes + THREAD_MAPPINGS * pes + JVM_MAPPINGS;
        if (spec.mode() == PeMode.THREADS && needed > max) {
            long fitting = 1;
            while ((fitting + 1) * (fitting + 1) + THREAD_MAPPINGS * (fitting + 1) + JVM_MAPPINGS <= max) {
                fitting++;
            }
            throw refused(
                    spec,
                    pes + " PEs as threads need " + needed + " mappings of memory in one process, and " + MAX_MAPPINGS
                            + " allows " + max + "; use PEs as processes, or at most " + fitting
                            + " threads, or set sysctl vm.max_map_count=" + 2 * needed);
        }
    }

    private static long maxMappings() {
        return Files.isReadable(MAX_MAPPINGS)
                ? Long.parseLong(ProcFile.text(MAX_MAPPINGS.toString()).trim())
                : Long.MAX_VALUE;
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
