// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import coterie.testing.NetworkNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/// The conformance cases of a module with PEs on hosts that are network namespaces: all bytes between two hosts travel
/// by virtual cables.
abstract class ConformanceOnHosts {
    private static final boolean IS_SOAK = Boolean.getBoolean("coterie.soak");

    /// Properties of the test framework, which workers are started by.
    private static final String MODES = "coterie.junit.modes";

    private static final String WRAPPER = "coterie.junit.wrapper";

    /// The setting CONDUIT, as workers get it.
    private static final String CONDUIT = "coterie.conduit";

    /// What each host must get at least: the joins of a few jobs.
    private static final long LEAST_BYTES = 50_000;

    @TempDir
    private Path folder;

    static Stream<Integer> hosts() {
        return IS_SOAK ? Stream.of(2, 3) : Stream.of(2);
    }

    /// Returns how the names of the classes begin that the module has in place of others.
    abstract String prefix();

    /// Returns the name of the conduit.
    abstract String conduit();

    /// Returns variables of each PE's environment, as `NAME=VALUE`. The network interface of each host is `eth`.
    abstract List<String> environment();

    /// All classes that the module runs in the soak tier, otherwise a sample.
    private static List<DiscoverySelector> classes() {
        return IS_SOAK
                ? List.of(selectPackage(ConformanceOnHosts.class.getPackageName()))
                : List.of(
                        selectClass(RmaConformanceTest.class),
                        selectClass(SignalConformanceTest.class),
                        selectClass(ReductionConformanceTest.class));
    }

    /// Patterns of the classes in whose place the module has subclasses.
    private static String[] replaced() throws IOException {
        return Files.readAllLines(Path.of("conformance-excluded-soak.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> ".*\\." + line)
                .toArray(String[]::new);
    }

    @ParameterizedTest(name = "{0} hosts")
    @MethodSource
    @DisplayName("the cases pass with PEs on several hosts, and their bytes cross the wire")
    void hosts(int hosts) throws IOException {
        try (NetworkNamespaces network = new NetworkNamespaces(hosts)) {
            Events tests = run(wrapper(network));
            List<String> failures = tests.failed().stream()
                    .map(event -> event.getTestDescriptor().getUniqueId() + ": "
                            + event.getRequiredPayload(TestExecutionResult.class)
                                    .getThrowable()
                                    .map(Throwable::getMessage)
                                    .orElse(""))
                    .toList();
            assertThat(failures).isEmpty();
            assertThat(tests.succeeded().count()).isGreaterThan(10);
            for (int host = 0; host < hosts; host++) {
                assertThat(network.receivedBytes(host)).as("host %d", host).isGreaterThan(LEAST_BYTES);
            }
        }
    }

    private Events run(Path wrapper) throws IOException {
        String modes = System.getProperty(MODES);
        String conduit = System.getProperty(CONDUIT);
        System.setProperty(MODES, "processes");
        System.setProperty(CONDUIT, conduit());
        System.setProperty(WRAPPER, wrapper.toString());
        try {
            return EngineTestKit.engine("junit-jupiter")
                    .selectors(classes().toArray(DiscoverySelector[]::new))
                    .filters(
                            includeClassNamePatterns(".*\\." + prefix() + ".*", ".*ConformanceTest"),
                            excludeClassNamePatterns(replaced()))
                    .execute()
                    .testEvents();
        } finally {
            System.clearProperty(WRAPPER);
            System.setProperty(MODES, modes);
            System.setProperty(CONDUIT, conduit);
        }
    }

    /// Makes the command that starts a PE on its host: the first PEs of a job are on the first one.
    private Path wrapper(NetworkNamespaces network) throws IOException {
        String prefix = network.name(0).substring(0, network.name(0).length() - 1);
        return Files.writeString(
                Files.createFile(
                        folder.resolve("on-host"),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))),
                """
                #!/bin/sh
                export %s
                exec ip netns exec "%s$((COTERIE_PE * %d / COTERIE_SIZE))" "$@"
                """.formatted(String.join(" ", environment()), prefix, network.hosts()));
    }
}
