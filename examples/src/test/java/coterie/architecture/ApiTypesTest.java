// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import coterie.CollectiveMismatchException;
import coterie.WaitTimeoutException;
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

    /// What the comment of an interface says that has one implementation in each launcher.
    private static final String IMPLEMENTED = "A launcher implements it.";

    /// The interfaces of core that programs get objects of.
    private static final Set<String> CLOSED_TYPES = Set.of(
            "coterie.BarrierSet",
            "coterie.Context",
            "coterie.ElementView",
            "coterie.SignalWord",
            "coterie.SymmetricLock",
            "coterie.SymmetricMemory",
            "coterie.Team",
            "coterie.TeamRequest",
            "coterie.WaitSet",
            "coterie.World",
            "coterie.collective.Request");

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
    @DisplayName("an interface outside the providers' packages is sealed or one for lambdas, or names its implementor")
    void interfacesNameTheirImplementors() throws IOException {
        List<String> open = new ArrayList<>();
        int closed = 0;
        for (JavaClass type : published) {
            if (!type.isInterface() || type.isAnnotation() || PROVIDERS.contains(type.getPackageName())) {
                continue;
            }
            String comment = comment(type);
            if (comment.contains(CLOSED)) {
                closed++;
            } else if (!comment.contains(IMPLEMENTED)
                    && !type.reflect().isSealed()
                    && !type.isAnnotatedWith(FunctionalInterface.class)) {
                open.add(type.getName());
            }
        }
        assertThat(closed).as("interfaces that say it").isGreaterThanOrEqualTo(12);
        assertThat(open).isEmpty();
    }

    @Test
    @DisplayName("a handle that a program prints says what it is")
    void handlesHaveText() {
        assertThat(House.classes().stream()
                        .filter(type -> isHandle(type) && !hasText(type))
                        .map(JavaClass::getName))
                .isEmpty();
    }

    /// Whether programs get objects of a class: it is published and has instances, or implements a closed
    /// interface.
    private static boolean isHandle(JavaClass type) {
        if (type.isInterface() || type.isEnum() || type.getModifiers().contains(JavaModifier.ABSTRACT)) {
            return false;
        }
        return House.isPublished(type)
                ? !isProvider(type)
                        && type.getMethods().stream()
                                .anyMatch(method -> method.getModifiers().contains(JavaModifier.PUBLIC)
                                        && !method.getModifiers().contains(JavaModifier.STATIC))
                : type.getAllRawInterfaces().stream().anyMatch(each -> CLOSED_TYPES.contains(each.getName()));
    }

    /// Whether the runtime calls a class, and programs don't.
    private static boolean isProvider(JavaClass type) {
        return PROVIDERS.contains(type.getPackageName())
                || type.getAllRawInterfaces().stream()
                        .anyMatch(each -> PROVIDERS.contains(each.getPackageName())
                                || each.getName().endsWith("$Provider"));
    }

    private static boolean hasText(JavaClass type) {
        return type.getAllMethods().stream()
                .anyMatch(method -> method.getName().equals("toString")
                        && method.getRawParameterTypes().isEmpty()
                        && !method.getOwner().getName().equals("java.lang.Object"));
    }

    @Test
    @DisplayName("the end of a time limit is one exception in all modules, and so are arguments that differ")
    void kindsOfExceptionsAreOne() {
        assertThat(published.stream()
                        .filter(type -> type.isAssignableTo(Throwable.class))
                        .filter(type -> type.getSimpleName().matches(".*(Time(d)?Out|Timeout|Mismatch|Differ).*")
                                && !type.isAssignableTo(WaitTimeoutException.class)
                                && !type.isAssignableTo(CollectiveMismatchException.class)))
                .as("exceptions of their own for it")
                .isEmpty();
        assertThat(published.stream()
                        .filter(type -> type.isEnum() && type.getSimpleName().endsWith("Error"))
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> field.getName().matches("TIMEOUT|TIMED_OUT|MISMATCH"))
                        .map(JavaField::getFullName))
                .as("kinds of other exceptions; kernels have the number of this one")
                .containsExactly("coterie.cuda.DeviceError.TIMEOUT");
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
