// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// One vocabulary for all faces: what every public signature that a program can call says, and in which order.
class VocabularyTest {
    /// The packages for programs; the others are for components, tools and tests.
    private static final Set<String> FACES = Set.of(
            "coterie", "coterie.collective", "coterie.coarray", "coterie.cuda", "coterie.gin", "coterie.stream");

    /// Names of the parameter that says which peer an operation goes to.
    private static final Set<String> PEERS = Set.of("pe", "image", "peer", "rank", "root");

    /// What takes a peer that is not last.
    private static final Set<String> PEER_ELSEWHERE = Set.of(
            "coterie.gin.Gin" // NCCL's order: team, peer, then the rest
            );

    private static final Pattern BRITISH = Pattern.compile(
            ".*([Cc]olour|[Bb]ehaviour|[Nn]eighbour|[Cc]entre|[a-z](ynchron|nitial|inal|erial|ptim|ecogn|rgan)is(e|ed|ing|ation)($|[A-Z])).*");

    private static List<Executable> signatures;

    @BeforeAll
    static void readTheSignatures() {
        signatures = House.classes().stream()
                .filter(House::isPublished)
                .filter(type -> FACES.contains(type.getPackageName()))
                .map(JavaClass::reflect)
                .flatMap(type -> Stream.<Executable>concat(
                        Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors())))
                .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
                .toList();
    }

    private static Set<String> offending(Predicate<Executable> offends) {
        return signatures.stream()
                .filter(offends)
                .map(VocabularyTest::text)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String text(Executable signature) {
        return signature.getDeclaringClass().getName() + "#" + signature.getName()
                + names(signature).stream().collect(Collectors.joining(", ", "(", ")"));
    }

    private static List<String> names(Executable signature) {
        return Arrays.stream(signature.getParameters()).map(Parameter::getName).toList();
    }

    @Test
    @DisplayName("signatures have the names of their parameters")
    void namesAreThere() {
        assertThat(signatures).hasSizeGreaterThan(500);
        assertThat(offending(each -> Arrays.stream(each.getParameters()).anyMatch(one -> !one.isNamePresent())))
                .isEmpty();
    }

    @Test
    @DisplayName("the peer is the last parameter")
    void peerIsLast() {
        assertThat(offending(each -> !PEER_ELSEWHERE.contains(each.getDeclaringClass().getName())
                        && names(each).stream().anyMatch(PEERS::contains)
                        && !PEERS.contains(names(each).getLast())))
                .isEmpty();
    }

    @Test
    @DisplayName("the source is before the target")
    void sourceIsFirst() {
        assertThat(offending(each -> first(each, "source") > first(each, "target") && first(each, "target") >= 0))
                .isEmpty();
    }

    private static int first(Executable signature, String start) {
        List<String> names = names(signature);
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).startsWith(start)) {
                return i;
            }
        }
        return -1;
    }

    @Test
    @DisplayName("a time limit is called timeout")
    void timeLimits() {
        assertThat(offending(each -> Arrays.stream(each.getParameters())
                        .anyMatch(one -> one.getType() == Duration.class
                                && !one.getName().equals("timeout"))))
                .isEmpty();
    }

    @Test
    @DisplayName("names have the spelling of the field")
    void spelling() {
        assertThat(offending(each -> Stream.concat(Stream.of(each.getName()), names(each).stream())
                        .anyMatch(name -> BRITISH.matcher(name).matches())))
                .isEmpty();
    }

    @Test
    @DisplayName("a record of options has a method with… for each of its parts that it lets set, and no other style")
    void options() {
        assertThat(offending(each -> each.getDeclaringClass().isRecord()
                        && each.getParameterCount() == 1
                        && each instanceof java.lang.reflect.Method method
                        && method.getReturnType() == each.getDeclaringClass()
                        && !Modifier.isStatic(each.getModifiers())
                        && isPart(each.getDeclaringClass(), each.getName())))
                .isEmpty();
    }

    private static boolean isPart(Class<?> options, String name) {
        return Arrays.stream(options.getRecordComponents()).anyMatch(part -> part.getName().equals(name));
    }
}
