// SPDX-License-Identifier: Apache-2.0
package coterie.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Walks the public methods and constructors of a type, and calls them with arguments that a law is about: null
/// or a foreign object for each reference in turn, or good ones on an object that is closed or of another thread.
///
/// ```java
/// Signatures.of(Team.class, team, arguments)
///         .without("close", "it has no parameters")
///         .nulls((call, name, thrown) -> assertThat(thrown).as(call).hasMessageContaining(name + " is null"));
/// ```
///
/// A method that lacks a good argument fails the walk, unless [#without] names it with the reason; so does a
/// name there that the type does not have.
@SuppressWarnings("NullAway") // reflection takes and returns null
public final class Signatures {
    /// Makes good arguments.
    @FunctionalInterface
    public interface Arguments {
        /// Returns a good argument for a parameter; empty if there is no source. Numbers and booleans without a
        /// source are 0 and false, and arrays of a variable number of arguments are empty.
        Optional<?> of(Parameter parameter);
    }

    /// What a law asks of a call.
    @FunctionalInterface
    public interface Check {
        /// Checks what a call has done.
        ///
        /// @param call the method with its parameters, for messages; its name is the text before the first
        ///     bracket
        /// @param parameter the name of the parameter that was null or foreign; empty if none was
        /// @param thrown what the call has thrown, or null
        void check(String call, String parameter, Throwable thrown);
    }

    private final Class<?> type;
    private final Object instance;
    private final Arguments arguments;
    private final Map<String, String> excluded = new HashMap<>();

    private Signatures(Class<?> type, Object instance, Arguments arguments) {
        this.type = type;
        this.instance = instance;
        this.arguments = arguments;
    }

    /// Returns a walk over the methods of an object, without static ones.
    public static Signatures of(Class<?> type, Object instance, Arguments arguments) {
        return new Signatures(type, instance, arguments);
    }

    /// Returns a walk over the static methods and the constructors of a type.
    public static Signatures ofStatic(Class<?> type, Arguments arguments) {
        return new Signatures(type, null, arguments);
    }

    /// Returns the names of the public types in the package of a class, without exceptions and annotations.
    public static List<String> publicTypes(Class<?> neighbour) {
        try {
            Path root = Path.of(neighbour
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isDirectory(root)) {
                return publicTypes(neighbour, root);
            }
            try (FileSystem jar = FileSystems.newFileSystem(root)) {
                return publicTypes(neighbour, jar.getPath("/"));
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> publicTypes(Class<?> neighbour, Path root) throws IOException {
        Path folder = root.resolve(neighbour.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("-info"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .filter(name -> isWalked(neighbour, name))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isWalked(Class<?> neighbour, String name) {
        try {
            Class<?> type = Class.forName(neighbour.getPackageName() + "." + name, false, neighbour.getClassLoader());
            boolean isVisible = true;
            for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
                isVisible &= Modifier.isPublic(each.getModifiers());
            }
            return isVisible && !type.isAnnotation() && !Throwable.class.isAssignableFrom(type);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Leaves out the methods of a name.
    ///
    /// @param reason why the law does not hold for them, or another test is for them
    public Signatures without(String name, String reason) {
        excluded.put(name, reason);
        return this;
    }

    /// Calls each method with null for each reference in turn that may not be null, and for an element of each
    /// array of references, and good arguments otherwise.
    public void nulls(Check check) {
        each(executable -> {
            Executable described = described(executable);
            Parameter[] parameters = described.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                if (isReference(parameters[i])) {
                    Object[] given = arguments(described, i);
                    check.check(text(described), parameters[i].getName(), call(executable, given));
                    Class<?> element = parameters[i].getType().getComponentType();
                    if (parameters[i].isVarArgs() && !element.isPrimitive()) {
                        given[i] = Array.newInstance(element, 1);
                        check.check(text(described), parameters[i].getName(), call(executable, given));
                    }
                }
            }
        });
    }

    /// Calls each method with a foreign object for each parameter in turn that `others` has one for, and good
    /// arguments otherwise.
    public void foreign(Arguments others, Check check) {
        each(executable -> {
            Executable described = described(executable);
            Parameter[] parameters = described.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                Optional<?> other = others.of(parameters[i]);
                if (other.isPresent()) {
                    Object[] given = arguments(described, i);
                    given[i] = other.get();
                    check.check(text(described), parameters[i].getName(), call(executable, given));
                }
            }
        });
    }

    /// Calls each method once with good arguments.
    public void calls(Check check) {
        each(executable -> {
            Executable described = described(executable);
            check.check(text(described), "", call(executable, arguments(described, -1)));
        });
    }

    private interface Visit {
        void visit(Executable executable);
    }

    private void each(Visit visit) {
        Stream<Executable> methods = Stream.of(type.getMethods());
        Stream<Executable> constructors = instance == null ? Stream.of(type.getConstructors()) : Stream.of();
        List<Executable> all = Stream.concat(methods, constructors)
                .filter(each -> !each.getDeclaringClass().equals(Object.class))
                .filter(each ->
                        each instanceof Constructor || Modifier.isStatic(each.getModifiers()) == (instance == null))
                .filter(each -> !isOfObject(each))
                .sorted(Comparator.comparing(Executable::toString))
                .toList();
        TreeSet<String> unknown = new TreeSet<>(excluded.keySet());
        for (Executable each : all) {
            unknown.remove(name(each));
            if (!excluded.containsKey(name(each))) {
                visit.visit(each);
            }
        }
        if (!unknown.isEmpty()) {
            throw new AssertionError(
                    type.getSimpleName() + " has no methods " + unknown + ", which the test leaves out");
        }
    }

    /// Returns whether any object has the method, or any enum.
    private static boolean isOfObject(Executable each) {
        boolean isEquals = each.getName().equals("equals") && each.getParameterCount() == 1;
        return isEquals
                || each.getDeclaringClass().equals(Enum.class)
                || each.getName().equals("valueOf");
    }

    /// Returns the method that the source has: a class has bridges to the public methods of a hidden
    /// superclass, without the names of their parameters.
    private static Executable described(Executable executable) {
        if (!(executable instanceof Method method) || !method.isBridge()) {
            return executable;
        }
        for (Class<?> each = method.getDeclaringClass().getSuperclass(); each != null; each = each.getSuperclass()) {
            for (Method inherited : each.getDeclaredMethods()) {
                if (inherited.getName().equals(method.getName())
                        && Arrays.equals(inherited.getParameterTypes(), method.getParameterTypes())
                        && !inherited.isBridge()) {
                    return inherited;
                }
            }
        }
        return executable;
    }

    private static String name(Executable executable) {
        return executable instanceof Constructor
                ? executable.getDeclaringClass().getSimpleName()
                : executable.getName();
    }

    private static String text(Executable executable) {
        String parameters = String.join(
                ", ",
                Stream.of(executable.getParameters()).map(Parameter::toString).toList());
        return name(executable) + "(" + parameters + ")";
    }

    private static boolean isReference(Parameter parameter) {
        boolean isNullable = Stream.of(parameter.getAnnotatedType().getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(annotation -> annotation.getSimpleName().equals("Nullable"));
        return !parameter.getType().isPrimitive() && !isNullable;
    }

    /// Returns good arguments, with null in the place of one.
    private Object[] arguments(Executable executable, int wrong) {
        Parameter[] parameters = executable.getParameters();
        Object[] given = new Object[parameters.length];
        for (int i = 0; i < given.length; i++) {
            given[i] = i == wrong ? null : argument(executable, parameters[i]);
        }
        return given;
    }

    private Object argument(Executable executable, Parameter parameter) {
        Optional<?> found = arguments.of(parameter);
        if (found.isPresent()) {
            return found.get();
        }
        Class<?> kind = parameter.getType();
        if (kind.isPrimitive()) {
            return Array.get(Array.newInstance(kind, 1), 0);
        }
        if (parameter.isVarArgs()) {
            return Array.newInstance(kind.getComponentType(), 0);
        }
        throw new AssertionError(type.getSimpleName() + "." + text(executable) + ": no argument for "
                + parameter.getName() + "; add a source, or leave the method out with the reason");
    }

    private Throwable call(Executable executable, Object[] given) {
        try {
            if (executable instanceof Constructor<?> constructor) {
                constructor.newInstance(given);
            } else {
                ((Method) executable).invoke(instance, given);
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException | InstantiationException e) {
            throw new LinkageError(type.getSimpleName() + "." + text(executable) + " can't be called", e);
        }
    }
}
