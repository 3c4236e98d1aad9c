// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.junit.platform.commons.support.HierarchyTraversalMode.TOP_DOWN;

import coterie.World;
import coterie.internal.launch.NodeAssignment;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/// Makes one invocation of an [SpmdTest] for each mode and number of PEs.
final class SpmdExtension implements TestTemplateInvocationContextProvider {
    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getTestMethod(), SpmdTest.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        SpmdTest test = AnnotationSupport.findAnnotation(method, SpmdTest.class).orElseThrow();
        require(test.pes().length > 0, method, "pes is empty");
        List<SpmdMode> modes = modes(test);
        int mostPes =
                modes.stream().mapToInt(mode -> mode.peMode().maxPes()).min().orElse(1);
        for (int pes : test.pes()) {
            require(pes >= 1 && pes <= mostPes, method, "pes has " + pes + ", outside [1, " + mostPes + "]");
        }
        require(test.seeds() >= 1, method, "seeds is " + test.seeds() + ", less than 1");
        require(test.timeoutSeconds() >= 1, method, "timeoutSeconds is " + test.timeoutSeconds() + ", less than 1");
        require(test.heapBytes() >= 1, method, "heapBytes is " + test.heapBytes() + ", less than 1");
        requireNodesOfAll(test, method, mostPes);
        requireRunnable(method);
        boolean takesWorld = method.getParameterCount() > 0;
        context.getEnclosingTestClasses().forEach(enclosing -> requireRunnableSetUp(enclosing, takesWorld));
        requireRunnableSetUp(context.getRequiredTestClass(), takesWorld);

        Duration timeout = Duration.ofSeconds(test.timeoutSeconds());
        return shapes(method, test).map(shape -> invocation(shape, test, method, timeout));
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true; // where a run leaves all its modes out
    }

    static List<SpmdMode> modes(SpmdTest test) {
        return test.modes().length > 0 ? List.of(test.modes()) : SpmdMode.byDefault();
    }

    /// What the run has a test's PEs as, once for each.
    static Stream<JobShape> shapes(Method method, SpmdTest test) {
        List<SpmdMode> asked = SpmdMode.asked(modes(test), test.pes());
        boolean isOfAnyMode = isOfAnyMode(method);
        List<SpmdMode> run = isOfAnyMode ? SpmdMode.any(asked) : asked;
        return run.stream()
                .flatMap(mode -> Arrays.stream((isOfAnyMode ? SpmdMode.PROCESSES : mode).asked(test.pes()))
                        .mapToObj(pes -> JobShape.of(mode, pes, test.heapBytes(), test.nodes())));
    }

    private static boolean isOfAnyMode(Method method) {
        return ServiceLoader.load(AnyMode.class, method.getDeclaringClass().getClassLoader()).stream()
                .anyMatch(table -> table.get().reason(method).isPresent());
    }

    private static SpmdInvocation invocation(JobShape shape, SpmdTest test, Method method, Duration timeout) {
        if (shape.mode() != SpmdMode.SIM) {
            return new SpmdInvocation(shape, null, timeout);
        }
        try {
            Seeds seeds = Seeds.declared(test.seeds());
            return new SpmdInvocation(shape, seeds, seeds.timeout(timeout));
        } catch (IllegalArgumentException e) {
            throw refused(method, String.valueOf(e.getMessage()), e);
        }
    }

    private static void requireNodesOfAll(SpmdTest test, Method method, int mostPes) {
        if (test.nodes().isEmpty()) {
            return;
        }
        int named;
        try {
            named = NodeAssignment.parse(test.nodes(), mostPes).size();
        } catch (IllegalArgumentException e) {
            throw refused(method, "nodes is \"" + test.nodes() + "\": " + e.getMessage(), e);
        }
        for (int pes : test.pes()) {
            require(
                    pes == named,
                    method,
                    "nodes is \"" + test.nodes() + "\", " + named + " PEs, and pes has " + pes + "; write pes = "
                            + named);
        }
    }

    private static void requireRunnableSetUp(Class<?> testClass, boolean testTakesWorld) {
        for (Class<? extends Annotation> each : List.of(BeforeEach.class, AfterEach.class)) {
            for (Method setUp : AnnotationSupport.findAnnotatedMethods(testClass, each, TOP_DOWN)) {
                requireRunnable(setUp);
                require(
                        testTakesWorld || setUp.getParameterCount() == 0,
                        setUp,
                        "it takes a coterie.World, and a test method of its class does not; let both take it or neither");
            }
        }
    }

    private static void requireRunnable(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        require(
                parameters.length == 0 || (parameters.length == 1 && parameters[0] == World.class),
                method,
                "its parameters are " + Arrays.toString(parameters)
                        + "; a method that PEs run takes a coterie.World, or nothing");
    }

    private static void require(boolean holds, Method method, String complaint) {
        if (!holds) {
            throw refused(method, complaint, null);
        }
    }

    private static ExtensionConfigurationException refused(Method method, String complaint, @Nullable Throwable cause) {
        return new ExtensionConfigurationException(
                "@SpmdTest " + method.getDeclaringClass().getName() + "." + method.getName() + ": " + complaint, cause);
    }
}
