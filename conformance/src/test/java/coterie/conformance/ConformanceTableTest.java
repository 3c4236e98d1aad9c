// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

/// The table of conformance cases and the tests that carry their ids say the same.
class ConformanceTableTest {
    private static final Pattern ID = Pattern.compile("\\b(SH-[A-Z]|UC-|BR-|NV-)\\d+\\b");
    private static final Pattern TEST = Pattern.compile("`(\\w+)`");
    private static final Pattern ROW = Pattern.compile(
            "^\\| (?<id>(SH-[A-Z]|UC-|BR-|NV-)\\d+)"
                    + " \\|(?<law>[^|]+)\\|(?<tests>[^|]+)\\|(?<modes>[^|]+)\\|(?<note>[^|]*)\\|$",
            Pattern.MULTILINE);

    /// Where a case is tested.
    ///
    /// @param tests classes
    /// @param modes of all their tests of the case
    private record Tested(Set<String> tests, Set<SpmdMode> modes) {
        Tested() {
            this(new TreeSet<>(), EnumSet.noneOf(SpmdMode.class));
        }
    }

    @Test
    @DisplayName("each case has one row, which names all classes that test it and the modes in which they do")
    void theTableSaysWhatIsTested() throws Exception {
        Map<String, Tested> table = new TreeMap<>();
        rows().forEach(row -> {
            Tested tested = new Tested();
            TEST.matcher(row.group("tests")).results().forEach(test -> tested.tests.add(test.group(1)));
            for (SpmdMode mode : SpmdMode.values()) {
                if (row.group("modes").contains(mode.name().toLowerCase(Locale.ROOT))) {
                    tested.modes.add(mode);
                }
            }
            assertThat(table.put(row.group("id"), tested))
                    .as("one row of %s", row.group("id"))
                    .isNull();
        });
        table.values().removeIf(tested -> tested.tests.isEmpty());
        assertThat(table).isEqualTo(tested());
    }

    @Test
    @DisplayName("a case without a test is void in Java, and says why")
    void whatIsNotTestedIsVoid() throws IOException {
        assertThat(rows().filter(row -> !row.group("tests").contains("`")))
                .allSatisfy(row -> assertThat(row.group("note")).startsWith(" void in Java: "));
    }

    private static Stream<MatchResult> rows() throws IOException {
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/conformance.md")));
        return rows.results();
    }

    private static Map<String, Tested> tested() throws IOException, URISyntaxException, ClassNotFoundException {
        Class<?> one = OneSidedConformanceTest.class;
        Path folder = Path.of(
                        one.getProtectionDomain().getCodeSource().getLocation().toURI())
                .resolve(one.getPackageName().replace('.', '/'));
        Set<String> classes;
        try (Stream<Path> files = Files.list(folder)) {
            classes = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.class"))
                    .map(name -> name.substring(0, name.indexOf('.')))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        Map<String, Tested> tested = new TreeMap<>();
        for (String name : classes) {
            for (Method method :
                    Class.forName(one.getPackageName() + "." + name).getDeclaredMethods()) {
                DisplayName words = method.getAnnotation(DisplayName.class);
                for (String id : words == null ? Set.<String>of() : ids(words.value())) {
                    Tested where = tested.computeIfAbsent(id, any -> new Tested());
                    where.tests.add(name);
                    where.modes.addAll(modes(method));
                }
            }
        }
        return tested;
    }

    private static Set<String> ids(String text) {
        return ID.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    private static Set<SpmdMode> modesOf(SpmdTest spmd) {
        return spmd.modes().length == 0 ? EnumSet.allOf(SpmdMode.class) : Set.of(spmd.modes());
    }

    /// A test that starts jobs by itself takes the modes from JUnit, or has jobs of processes.
    private static Set<SpmdMode> modes(Method method) {
        return findAnnotation(method, SpmdTest.class)
                .map(spmd -> modesOf(spmd))
                .orElse(
                        method.isAnnotationPresent(EnumSource.class)
                                ? EnumSet.allOf(SpmdMode.class)
                                : Set.of(SpmdMode.PROCESSES));
    }
}
