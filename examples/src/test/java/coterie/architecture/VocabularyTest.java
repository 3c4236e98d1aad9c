// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.DoubleView;
import coterie.FloatView;
import coterie.IntegerView;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// One vocabulary for all faces, see decision 0078. Each rule reads all public signatures.
class VocabularyTest {
    /// What programs call. Providers of `coterie.spi` name a place in another PE's memory by a pair of peer and
    /// address, and the operations by the names that hardware has for them.
    private static final Set<String> FACES = Set.of(
            "coterie",
            "coterie.channel",
            "coterie.collective",
            "coterie.layer",
            "coterie.stream",
            "coterie.cuda",
            "coterie.gin",
            "coterie.coarray");

    /// Parameters that are another PE, or the root of a collective.
    private static final Set<String> PEERS = Set.of("pe", "peer", "image", "root", "sourceImage", "resultImage");

    /// Positions and numbers that may be bytes or elements.
    private static final Pattern UNITLESS = Pattern.compile("(source|target|remote|local)?([oO]ffset|[sS]ize)");

    private static final Pattern OTHER_WORDS_FOR_TIMEOUT = Pattern.compile("within|patience|deadline.*|.*[dD]eadline");

    private static final Pattern OTHER_SPELLING = Pattern.compile(
            "colour|behaviour|neighbour|centre|catalogue|(synchron|serial|initial|normal|optim|organ)is");

    /// What atomics are called elsewhere; here they have the names of `VarHandle`.
    private static final Set<String> OTHER_ATOMICS = Set.of(
            "fetchAdd",
            "fetchAnd",
            "fetchOr",
            "fetchXor",
            "swap",
            "compareAndSwap",
            "atomicFetch",
            "atomicSet",
            "getVolatile",
            "setVolatile",
            "fetchAndAdd");

    private static List<Class<?>> types;

    @BeforeAll
    static void readTheTypes() {
        types = House.classes().stream()
                .filter(House::isPublished)
                .filter(type -> FACES.contains(type.getPackageName()))
                .<Class<?>>map(type -> type.reflect())
                .toList();
        assertThat(types).hasSizeGreaterThan(150);
        assertThat(methods().flatMap(method -> Arrays.stream(method.getParameters())))
                .as("parameters with names")
                .hasSizeGreaterThan(900)
                .allMatch(Parameter::isNamePresent);
    }

    private static Stream<Method> methods() {
        return types.stream()
                .flatMap(type -> Stream.concat(
                        Arrays.stream(type.getDeclaredMethods()), // the protected ones, too
                        Arrays.stream(type.getMethods()))) // those of superclasses that programs can't name, too
                .filter(VocabularyTest::isPublic)
                .filter(method -> method.getDeclaringClass().getPackageName().startsWith("coterie"))
                .distinct();
    }

    private static Stream<Executable> signatures() {
        return Stream.concat(
                methods(),
                types.stream()
                        .flatMap(type -> Arrays.stream(type.getDeclaredConstructors()))
                        .filter(VocabularyTest::isPublic));
    }

    private static boolean isPublic(Executable member) {
        int modifiers = member.getModifiers();
        return !member.isSynthetic() && (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers));
    }

    private static String text(Executable member) {
        return member.getDeclaringClass().getName().replace("coterie.", "") + "." + member.getName()
                + Arrays.stream(member.getParameters())
                        .map(each -> each.getType().getSimpleName() + " " + each.getName())
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    @Test
    @DisplayName("another PE, image or root is the last argument; GIN has NCCL's order")
    void peerIsLast() {
        assertThat(methods()
                        .filter(method ->
                                !method.getDeclaringClass().getPackageName().equals("coterie.gin"))
                        .filter(method -> !isLast(method.getParameters()))
                        .map(VocabularyTest::text))
                .isEmpty();
    }

    private static boolean isLast(Parameter[] parameters) {
        return IntStream.range(0, parameters.length - 1)
                .noneMatch(i -> parameters[i].getType() == int.class && PEERS.contains(parameters[i].getName()));
    }

    @Test
    @DisplayName("a target comes before its source, as in the C routines")
    void targetIsFirst() {
        assertThat(signatures()
                        .filter(member -> {
                            List<String> names = Arrays.stream(member.getParameters())
                                    .map(each -> each.getName().toLowerCase(Locale.ROOT))
                                    .toList();
                            int source = first(names, "source");
                            return source >= 0 && first(names, "target") > source;
                        })
                        .map(VocabularyTest::text))
                .isEmpty();
    }

    private static int first(List<String> names, String word) {
        return IntStream.range(0, names.size())
                .filter(i -> names.get(i).startsWith(word))
                .findFirst()
                .orElse(-1);
    }

    @Test
    @DisplayName("what counts bytes says so in its name; all else counts elements")
    void bytesAreNamed() {
        assertThat(signatures()
                        .filter(member -> Arrays.stream(member.getParameters())
                                .anyMatch(each -> each.getType() == long.class
                                        && UNITLESS.matcher(each.getName()).matches()))
                        .map(VocabularyTest::text))
                .isEmpty();
    }

    @Test
    @DisplayName("a time limit is a timeout")
    void limitIsTimeout() {
        assertThat(signatures()
                        .filter(member -> OTHER_WORDS_FOR_TIMEOUT
                                        .matcher(member.getName())
                                        .matches()
                                || Arrays.stream(member.getParameters())
                                        .anyMatch(each -> each.getType() == Duration.class
                                                && !each.getName().equals("timeout")))
                        .map(VocabularyTest::text))
                .isEmpty();
    }

    @Test
    @DisplayName("names are spelled as in the field: color, synchronize")
    void spelling() {
        assertThat(signatures()
                        .filter(member -> Stream.concat(
                                        Stream.of(member.getName()),
                                        Arrays.stream(member.getParameters()).map(Parameter::getName))
                                .anyMatch(name -> OTHER_SPELLING
                                        .matcher(name.toLowerCase(Locale.ROOT))
                                        .find()))
                        .map(VocabularyTest::text))
                .isEmpty();
    }

    @Test
    @DisplayName("options are values whose methods with… return changed ones")
    void optionsHaveWith() {
        assertThat(methods()
                        .filter(method -> isOptions(method.getDeclaringClass())
                                && method.getReturnType() == method.getDeclaringClass()
                                && !Modifier.isStatic(method.getModifiers())
                                && !method.getName().startsWith("with"))
                        .map(VocabularyTest::text))
                .isEmpty();
        assertThat(types.stream().filter(VocabularyTest::isOptions)).hasSizeGreaterThanOrEqualTo(5);
    }

    private static boolean isOptions(Class<?> type) {
        return type.getSimpleName().matches(".*(Options|Requirements|Config|Limits|Attributes|WaitSet)")
                && !type.isEnum();
    }

    @Test
    @DisplayName("atomics have the names of VarHandle, for an own element and, with a PE, for that of another")
    void atomics() throws NoSuchMethodException {
        assertThat(methods()
                        .filter(method -> OTHER_ATOMICS.contains(method.getName()))
                        .map(VocabularyTest::text))
                .isEmpty();
        for (Class<?> view : List.of(IntegerView.class, FloatView.class, DoubleView.class)) {
            Class<?> element = view.getMethod("get", long.class).getReturnType();
            for (String name : List.of("getAndAdd", "getAndSet", "setRelease")) {
                view.getMethod(name, long.class, element);
                view.getMethod(name, long.class, element, int.class);
            }
            view.getMethod("getAcquire", long.class);
            view.getMethod("getAcquire", long.class, int.class);
            view.getMethod("compareAndExchange", long.class, element, element);
            view.getMethod("compareAndExchange", long.class, element, element, int.class);
        }
    }
}
