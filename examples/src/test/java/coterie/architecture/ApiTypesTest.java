// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What the types of the exported packages promise to programs.
class ApiTypesTest {
    /// The packages whose interfaces are there to be implemented.
    private static final Set<String> PROVIDERS = Set.of("coterie.spi", "coterie.layer");

    /// What the comment of an interface says that programs call and don't implement.
    private static final String CLOSED = "Only Coterie implements it.";

    private static List<JavaClass> published;

    @BeforeAll
    static void readTheClasses() {
        published = House.classes().stream().filter(House::isPublished).toList();
    }

    @Test
    @DisplayName("no public type has a public field that can change")
    void fieldsAreNotForWriting() {
        assertThat(published).hasSizeGreaterThan(200);
        assertThat(published.stream()
                        .flatMap(type -> type.getFields().stream())
                        .filter(ApiTypesTest::canBeWritten)
                        .map(JavaField::getFullName))
                .isEmpty();
    }

    private static boolean canBeWritten(JavaField field) {
        Set<JavaModifier> modifiers = field.getModifiers();
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.FINAL);
    }

    @Test
    @DisplayName("an interface outside the providers' packages is sealed, one for lambdas, or says that it is closed")
    void interfacesSayWhetherTheyAreClosed() throws IOException {
        List<String> open = new ArrayList<>();
        int closed = 0;
        for (JavaClass type : published) {
            if (!type.isInterface() || type.isAnnotation() || PROVIDERS.contains(type.getPackageName())) {
                continue;
            }
            if (comment(type).contains(CLOSED)) {
                closed++;
            } else if (!type.reflect().isSealed() && !type.isAnnotatedWith(FunctionalInterface.class)) {
                open.add(type.getName());
            }
        }
        assertThat(closed).as("interfaces that say it").isGreaterThanOrEqualTo(12);
        assertThat(open).isEmpty();
    }

    /// Returns the text of a type's comment, in one line.
    private static String comment(JavaClass type) throws IOException {
        List<String> lines = Files.readAllLines(source(type));
        int at = 0;
        while (!lines.get(at).matches(".*\\binterface " + type.getSimpleName() + "\\b.*")) {
            at++;
        }
        Deque<String> texts = new ArrayDeque<>();
        for (int i = at - 1; i >= 0 && lines.get(i).matches("\\s*(///|@).*"); i--) {
            texts.addFirst(lines.get(i).strip().replaceFirst("^/// ?", ""));
        }
        return String.join(" ", texts);
    }

    private static Path source(JavaClass type) throws IOException {
        String file = type.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java";
        return SourceFilesTest.find(SourceFilesTest.root()).stream()
                .filter(path -> path.toString().replace('\\', '/').endsWith("/src/main/java/" + file))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no source of " + type.getName()));
    }
}
