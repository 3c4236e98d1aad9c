// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/// One run of JUnit over sample tests, within a test.
///
/// @param results how each test ended, by its method's and its own display name, such as "passes [2 processes]"
/// @param containers how each class and template ended, by its display name
record SampleRun(Map<String, TestExecutionResult> results, Map<String, TestExecutionResult> containers) {

    /// The modes of a test that names none.
    static final List<SpmdMode> BY_DEFAULT = List.of(SpmdMode.PROCESSES, SpmdMode.THREADS);

    /// Runs all tests of a class.
    static SampleRun of(Class<?> samples) {
        return run(selectClass(samples));
    }

    /// Runs one test that takes a world.
    static SampleRun of(Class<?> samples, String method) {
        return run(selectMethod(samples, method, "coterie.World"));
    }

    private static SampleRun run(DiscoverySelector selector) {
        Map<String, TestExecutionResult> results = new LinkedHashMap<>();
        Map<String, TestExecutionResult> containers = new LinkedHashMap<>();
        EngineTestKit.engine("junit-jupiter").selectors(selector).execute().allEvents().finished().stream()
                .forEach(event -> {
                    TestDescriptor descriptor = event.getTestDescriptor();
                    TestExecutionResult result = event.getRequiredPayload(TestExecutionResult.class);
                    if (descriptor.isTest()) {
                        MethodSource source =
                                (MethodSource) descriptor.getSource().orElseThrow();
                        results.put(source.getMethodName() + " " + descriptor.getDisplayName(), result);
                    } else {
                        containers.put(descriptor.getDisplayName(), result);
                    }
                });
        return new SampleRun(results, containers);
    }

    /// What a test's run with 2 PEs of this mode ended with.
    Throwable error(String method, SpmdMode mode) {
        String name = method + " [" + mode.count(2) + "]";
        assertThat(results).containsKey(name);
        return results.get(name).getThrowable().orElseThrow(() -> new AssertionError(name + " passed"));
    }

    /// Runs one test and returns what it ended with, with 2 PEs of each mode.
    static Map<SpmdMode, Throwable> errors(Class<?> samples, String method) {
        SampleRun run = of(samples, method);
        Map<SpmdMode, Throwable> errors = new EnumMap<>(SpmdMode.class);
        for (SpmdMode mode : BY_DEFAULT) {
            errors.put(mode, run.error(method, mode));
        }
        return errors;
    }

    /// What a console shows for an error.
    static String print(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
