// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import coterie.testing.NeedsTools;
import coterie.testing.NetworkNamespaces;
import coterie.testing.Tool;
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

/// The conformance cases with PEs on hosts that are network namespaces: all bytes between two hosts travel by virtual
/// cables.
@NeedsTools({Tool.UCX, Tool.NETWORK_NAMESPACES})
class ConformanceOnHostsIT {
    private static final boolean IS_SOAK = Boolean.getBoolean("coterie.soak");

    /// Properties of the test framework, which workers are started by.
    private static final String MODES = "coterie.junit.modes";

    private static final String WRAPPER = "coterie.junit.wrapper";

    /// What each host must get at least: the joins of a few jobs.
    private static final long LEAST_BYTES = 50_000;

    @TempDir
    private Path folder;

    static Stream<Integer> hosts() {
        return IS_SOAK ? Stream.of(2, 3) : Stream.of(2);
    }

    /// All classes that the module runs in the soak tier, otherwise a sample.
    private static List<DiscoverySelector> classes() {
        return IS_SOAK
                ? List.of(selectPackage(ConformanceOnHostsIT.class.getPackageName()))
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

    private static Events run(Path wrapper) throws IOException {
        String modes = System.getProperty(MODES);
        System.setProperty(MODES, "processes");
        System.setProperty(WRAPPER, wrapper.toString());
        try {
            return EngineTestKit.engine("junit-jupiter")
                    .selectors(classes().toArray(DiscoverySelector[]::new))
                    .filters(
                            includeClassNamePatterns(".*\\.Ucx.*", ".*ConformanceTest"),
                            excludeClassNamePatterns(replaced()))
                    .execute()
                    .testEvents();
        } finally {
            System.clearProperty(WRAPPER);
            System.setProperty(MODES, modes);
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
                export UCX_NET_DEVICES=eth
                exec ip netns exec "%s$((COTERIE_PE * %d / COTERIE_SIZE))" "$@"
                """.formatted(prefix, network.hosts()));
    }
}
