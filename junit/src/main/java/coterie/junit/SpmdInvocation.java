// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.World;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/// One run of an SPMD test: keeps JUnit from calling the methods itself, and has workers do so.
///
/// @param seeds of a simulated test, or null
record SpmdInvocation(JobShape shape, @Nullable Seeds seeds, Duration timeout)
        implements TestTemplateInvocationContext, InvocationInterceptor, ParameterResolver {

    @Override
    public String getDisplayName(int invocationIndex) {
        return "[" + shape + "]";
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
        return List.of(this);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext extensionContext) {
        invocation.skip();
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext extensionContext) {
        invocation.skip();
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext extensionContext)
            throws Throwable {
        invocation.skip();
        Method method = invocationContext.getExecutable();
        TestMethod test = new TestMethod(
                invocationContext.getTargetClass().getName(), method.getName(), method.getParameterCount() > 0);
        WorkerPool.of(extensionContext).run(shape, test, seeds, timeout);
    }

    /// The world exists in PEs only; here the parameter is null, and no code reads it.
    @Override
    public boolean supportsParameter(ParameterContext parameterContext, ExtensionContext extensionContext) {
        return parameterContext.getDeclaringExecutable() instanceof Method
                && parameterContext.getParameter().getType() == World.class;
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameterContext, ExtensionContext extensionContext) {
        return null;
    }
}
