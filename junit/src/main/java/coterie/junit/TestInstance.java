// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.World;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/// A PE's own instance of a test class, within those of its enclosing classes where it is an inner one.
final class TestInstance {
    private final List<Object> outermostFirst;
    private final Method method;
    private final @Nullable World world;

    private TestInstance(List<Object> outermostFirst, Method method, @Nullable World world) {
        this.outermostFirst = outermostFirst;
        this.method = method;
        this.world = world;
    }

    static TestInstance of(TestMethod test, @Nullable World world) throws Throwable {
        Class<?> testClass = Class.forName(test.className(), true, TestInstance.class.getClassLoader());
        Class<?>[] parameters = test.takesWorld() ? new Class<?>[] {World.class} : new Class<?>[0];
        Method method = ReflectionSupport.findMethod(testClass, test.methodName(), parameters)
                .orElseThrow(() -> new NoSuchMethodException("worker: " + test + " is not on the class path"));
        List<Object> instances = new ArrayList<>();
        instantiate(testClass, instances);
        return new TestInstance(instances, method, world);
    }

    private static Object instantiate(Class<?> testClass, List<Object> instances) throws Throwable {
        boolean inner = testClass.isMemberClass() && !Modifier.isStatic(testClass.getModifiers());
        try {
            Object instance;
            if (inner) {
                Class<?> enclosing = testClass.getDeclaringClass();
                instance = accessible(testClass.getDeclaredConstructor(enclosing))
                        .newInstance(instantiate(enclosing, instances));
            } else {
                instance = accessible(testClass.getDeclaredConstructor()).newInstance();
            }
            instances.add(instance);
            return instance;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> Constructor<T> accessible(Constructor<T> constructor) {
        constructor.setAccessible(true);
        return constructor;
    }

    /// Runs what is before each test, the test, and what is after each: the last also if something has failed.
    void run() throws Throwable {
        Throwable failure = null;
        try {
            for (Object instance : outermostFirst) {
                for (Method before : annotated(instance, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN)) {
                    invoke(before, instance);
                }
            }
            invoke(method, outermostFirst.getLast());
        } catch (Throwable thrown) {
            failure = thrown;
        }
        for (Object instance : outermostFirst.reversed()) {
            for (Method after : annotated(instance, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP)) {
                failure = and(failure, after, instance);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable Throwable and(@Nullable Throwable failure, Method after, Object instance) {
        try {
            invoke(after, instance);
        } catch (Throwable thrown) {
            if (failure == null) {
                return thrown;
            }
            failure.addSuppressed(thrown);
        }
        return failure;
    }

    private static List<Method> annotated(
            Object instance, Class<? extends Annotation> annotation, HierarchyTraversalMode order) {
        return AnnotationSupport.findAnnotatedMethods(instance.getClass(), annotation, order);
    }

    private void invoke(Method method, Object instance) throws Throwable {
        method.setAccessible(true);
        try {
            if (method.getParameterCount() == 0) {
                method.invoke(instance);
            } else {
                method.invoke(instance, world);
            }
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
