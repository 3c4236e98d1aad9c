// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/// The main method of a class. This class finds and calls it by the rules of the JDK's own launcher (JLS
/// 12.1.4). `main(String[])` has precedence over `main()`. The method may be declared or inherited, static or
/// not, and have any access but private. For an instance method the launcher makes an object with the
/// constructor without parameters, which must not be private, either.
final class MainMethod {
    private static final String NAME = "main";

    private final Method method;
    private final @Nullable Constructor<?> constructor;

    private MainMethod(Method method, @Nullable Constructor<?> constructor) {
        this.method = method;
        this.constructor = constructor;
    }

    /// Finds the main method of a class by the name of the class. Does not initialize the class.
    ///
    /// @param layer the layer of `module`
    /// @param module the module of the class, or [JavaCommand#NONE] for the class path of `loader`
    /// @throws LaunchException if there is no such module, class or method
    static MainMethod of(ModuleLayer layer, String module, ClassLoader loader, String mainClass)
            throws LaunchException {
        if (module.equals(JavaCommand.NONE)) {
            try {
                return of(Class.forName(mainClass, false, loader));
            } catch (ClassNotFoundException | NoClassDefFoundError e) {
                throw new LaunchException("there is no class " + e.getMessage(), ExitCode.NOT_FOUND);
            }
        }
        Module home = layer.findModule(module).orElse(null);
        if (home == null) {
            throw LaunchException.noModule(module);
        }
        Class<?> main = Class.forName(home, mainClass);
        if (main == null) {
            throw new LaunchException("module " + module + " has no class " + mainClass, ExitCode.NOT_FOUND);
        }
        return of(main);
    }

    /// Finds the main method of a class. Does not initialize the class.
    ///
    /// @throws LaunchException if the class has no main method that the launcher can call; the message states
    ///     what is missing
    static MainMethod of(Class<?> main) throws LaunchException {
        Method method = find(main);
        if (method == null) {
            throw new LaunchException(
                    "class " + main.getName()
                            + " has no main method; it needs void main(String[]) or void main(), not private",
                    ExitCode.NOT_RUNNABLE);
        }
        method.setAccessible(true);
        return new MainMethod(method, Modifier.isStatic(method.getModifiers()) ? null : constructor(main));
    }

    private static @Nullable Method find(Class<?> main) {
        Method method = inheritedPublic(main, String[].class);
        if (method == null) {
            method = nearest(main, String[].class);
        }
        if (method == null || !isMain(method)) {
            method = nearest(main);
        }
        if (method == null) {
            method = inheritedPublic(main); // finds a default method of an interface
        }
        return method != null && isMain(method) ? method : null;
    }

    private static @Nullable Method inheritedPublic(Class<?> main, Class<?>... parameters) {
        try {
            return main.getMethod(NAME, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static @Nullable Method nearest(Class<?> main, Class<?>... parameters) {
        for (Class<?> type = main; type != null; type = type.getSuperclass()) {
            Method method = declared(type, parameters);
            if (method != null) {
                return method;
            }
        }
        return null;
    }

    private static @Nullable Method declared(Class<?> type, Class<?>... parameters) {
        try {
            return type.getDeclaredMethod(NAME, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static boolean isMain(Method method) {
        return method.getReturnType() == void.class && !Modifier.isPrivate(method.getModifiers());
    }

    private static Constructor<?> constructor(Class<?> main) throws LaunchException {
        Constructor<?> found = null;
        for (Constructor<?> constructor : main.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 0 && !Modifier.isPrivate(constructor.getModifiers())) {
                found = constructor;
            }
        }
        if (found == null || Modifier.isAbstract(main.getModifiers())) {
            throw new LaunchException(
                    "class " + main.getName()
                            + " has an instance main method, and can't be made: it needs a constructor"
                            + " without parameters that is not private, and not to be abstract",
                    ExitCode.NOT_RUNNABLE);
        }
        found.setAccessible(true);
        return found;
    }

    /// Calls the main method. Throws the exceptions of the main method unchanged.
    void call(String[] arguments) throws Throwable {
        try {
            Object instance = constructor == null ? null : constructor.newInstance();
            if (method.getParameterCount() == 0) {
                method.invoke(instance);
            } else {
                method.invoke(instance, (Object) arguments);
            }
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
