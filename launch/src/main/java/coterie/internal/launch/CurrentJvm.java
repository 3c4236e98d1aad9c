// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.launch.JobSpec.Program;
import coterie.internal.world.JobEnvironment;
import coterie.internal.world.Launcher;
import coterie.internal.world.PeThreadGroup;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/// Starts jobs whose PEs are JVMs like the current one.
public final class CurrentJvm implements Launcher {
    /// Prefixes of options that only one JVM at a time can use: they name a port, or a file that the JVM writes.
    private static final List<String> UNSHAREABLE = List.of(
            "-agentlib:jdwp",
            "-Xrunjdwp",
            "-Xdebug",
            "-Dcom.sun.management.jmxremote",
            "-XX:StartFlightRecording",
            "-XX:AOTCache",
            "-XX:AOTMode",
            "-XX:AOTConfiguration",
            "-XX:ArchiveClassesAtExit",
            "-XX:+AutoCreateSharedArchive",
            "-XX:SharedArchiveFile");

    /// IntelliJ's agent listens on a port of its JVM.
    private static final String IDE_AGENT = "idea_rt.jar";

    @Override
    public int run(int pes, Class<?> main, String... args) {
        if (PeThreadGroup.current() != null || System.getenv(JobEnvironment.COTERIE_SEGMENT.name()) != null) {
            throw new IllegalStateException(
                    "Coterie.run in a PE of a job: a PE can't start PEs; call World.join() to take"
                            + " part in the job that is running, or start " + main.getName() + " by plain java");
        }
        boolean modular = CurrentJvm.class.getModule().isNamed();
        String module = modular && main.getModule().isNamed() ? main.getModule().getName() : null;
        Program program = new Program(
                main.getName(),
                module,
                SearchPath.parse(System.getProperty("java.class.path", "")),
                modular ? SearchPath.parse(System.getProperty("jdk.module.path", "")) : List.of(),
                List.of(args));
        JobSpec spec = JobSpec.of(main.getSimpleName(), pes, program).withJvmOptions(options(modular));
        try (Job job = Job.start(spec)) {
            return job.await();
        }
    }

    /// Returns the options of this JVM that several JVMs can use at a time. Without the module java.management,
    /// the JVM does not reveal its options.
    private static List<String> options(boolean modular) {
        List<String> options = new ArrayList<>();
        if (ModuleLayer.boot().findModule("java.management").isPresent()) {
            for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                if (isShareable(option)) {
                    options.add(option);
                }
            }
        }
        String modulePath = System.getProperty("jdk.module.path");
        if (!modular && modulePath != null) {
            options.add("--module-path=".concat(modulePath));
        }
        return options;
    }

    static boolean isShareable(String option) {
        for (String prefix : UNSHAREABLE) {
            if (option.startsWith(prefix)) {
                return false;
            }
        }
        return !option.contains(IDE_AGENT);
    }
}
