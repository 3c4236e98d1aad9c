// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static coterie.architecture.House.core;
import static coterie.architecture.House.in;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.ArchRule;
import coterie.World;
import coterie.internal.launch.Job;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArchitectureTest {

    static final List<String> FLOORS = House.FLOORS;

    /// Public methods with a parameter that is a boolean, and why.
    private static final Map<String, String> FLAGS = Map.of(
            "coterie.stream.DeviceLimits.withLateCopies(boolean)",
            "sets the component of this name, which is a boolean",
            "coterie.spi.OperationRecord.setUnsigned(boolean)",
            "fills in a field of a record, which is a boolean",
            "coterie.spi.OperationRecord.setNeedsSlot(boolean)",
            "fills in a field of a record, which is a boolean",
            "coterie.spi.OperationRecord.setStarted(boolean)",
            "fills in a field of a record, which is a boolean");

    private static JavaClasses house;

    @BeforeAll
    static void readTheClasses() {
        house = House.classes();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "coterie",
                "coterie.cli",
                "coterie.cluster",
                "coterie.internal.launch",
                "coterie.junit",
                "coterie.bench",
                "coterie.vector",
                "coterie.stream",
                "coterie.diagnosis",
                "coterie.trace",
                "coterie.ucx",
                "coterie.tcp",
                "coterie.cuda",
                "coterie.testing"
            })
    @DisplayName("the rules below see the classes of every module")
    void seesEveryModule(String root) {
        assertThat(house.containPackage(root)).isTrue();
    }

    @Test
    @DisplayName(
            "restricted methods are called in coterie.internal.posix, for UCX, for TCP, for CUDA, and for PMIx alone")
    void restrictedMethodsStayInTheirPackages() {
        check(noClasses()
                .that(not(in(
                        House.POSIX,
                        House.LIBUCP,
                        "coterie.tcp",
                        House.CUDA_DRIVER,
                        House.NVRTC,
                        House.NCCL,
                        "coterie.cluster")))
                .should()
                .accessTargetWhere(Calls.restricted()));
    }

    @ParameterizedTest
    @FieldSource("FLOORS")
    @DisplayName("a package of core uses only packages below it")
    void floorsPointDown(String floor) {
        List<String> above = FLOORS.subList(FLOORS.indexOf(floor) + 1, FLOORS.size());
        String[] rooms = above.stream().map(House::internal).toArray(String[]::new);
        check(noClasses().that(in(House.internal(floor))).should().dependOnClassesThat(in(rooms)));
    }

    @Test
    @DisplayName("every internal class is in a known package")
    void everyRoomIsOnTheMap() {
        String[] rooms = FLOORS.stream().map(House::internal).toArray(String[]::new);
        check(classes().that(House.internals()).should(be(in(rooms))));
    }

    @Test
    @DisplayName("the API uses no internals; World, Coterie and HostedPe may")
    void apiKnowsNoInternals() {
        check(noClasses().that(House.api().and(not(House.doors()))).should().dependOnClassesThat(House.internals()));
    }

    @Test
    @DisplayName("cli and junit use the API and the launch package")
    void commandAndTestsUseLaunchAlone() {
        check(noClasses()
                .that(in("coterie.cli", "coterie.junit"))
                .should()
                .dependOnClassesThat(House.internals().and(not(in(House.LAUNCH)))));
    }

    @Test
    @DisplayName("diagnosis uses the API, the launch package and the records")
    void diagnosisUsesLaunchAndRecords() {
        check(noClasses()
                .that(in("coterie.diagnosis"))
                .should()
                .dependOnClassesThat(House.internals().and(not(in(House.LAUNCH, House.RECORD)))));
    }

    @Test
    @DisplayName("trace uses the API, the launch package and the recorded events")
    void traceUsesLaunchAndEvents() {
        check(noClasses()
                .that(in("coterie.trace"))
                .should()
                .dependOnClassesThat(House.internals().and(not(in(House.LAUNCH, House.TRACE)))));
    }

    @Test
    @DisplayName("core exports no internals, except to the launcher and its records to their readers")
    void exportsNoInternals() throws URISyntaxException {
        ModuleDescriptor core = descriptor(World.class, "coterie");
        Map<String, Set<String>> friends = new HashMap<>();
        House.LAUNCH_READS.forEach(room -> friends.put(House.internal(room), Set.of("coterie.launch")));
        friends.put(House.RECORD, Set.of("coterie.launch", "coterie.diagnosis"));
        friends.put(House.TRACE, Set.of("coterie.trace"));
        assertThat(core.opens()).isEmpty();
        assertThat(qualifiedExports(core)).isEqualTo(friends);
        assertThat(core.exports().stream().filter(each -> !each.isQualified()))
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrderElementsOf(House.API);
    }

    @Test
    @DisplayName("the launcher exports itself to the commands, the tests and the readers of a job alone")
    void launchHasFriendsAlone() throws URISyntaxException {
        ModuleDescriptor launch = descriptor(Job.class, "coterie.launch");
        assertThat(launch.opens()).isEmpty();
        assertThat(launch.exports()).allMatch(ModuleDescriptor.Exports::isQualified);
        assertThat(qualifiedExports(launch))
                .isEqualTo(Map.of(
                        House.LAUNCH, Set.of("coterie.cli", "coterie.diagnosis", "coterie.junit", "coterie.trace")));
    }

    private static ModuleDescriptor descriptor(Class<?> type, String module) throws URISyntaxException {
        Path classes =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        return ModuleFinder.of(classes).find(module).orElseThrow().descriptor();
    }

    private static Map<String, Set<String>> qualifiedExports(ModuleDescriptor module) {
        return module.exports().stream()
                .filter(ModuleDescriptor.Exports::isQualified)
                .collect(Collectors.toMap(ModuleDescriptor.Exports::source, ModuleDescriptor.Exports::targets));
    }

    @Test
    @DisplayName("all other modules use the API alone")
    void othersUseTheApiAlone() {
        check(noClasses()
                .that(not(core().or(in("coterie.cli", "coterie.diagnosis", "coterie.junit", "coterie.trace"))))
                .should()
                .dependOnClassesThat(House.internals()));
    }

    @Test
    @DisplayName("core depends on the JDK and JSpecify alone")
    void coreDependsOnTheJdkAlone() {
        check(classes()
                .that(core())
                .should()
                .onlyDependOnClassesThat(
                        core().or(in("java", "javax.net.ssl", "javax.security.auth.x500", "jdk", "org.jspecify"))
                                .or(Calls.primitive())));
    }

    @Test
    @DisplayName("nothing in core sleeps, spins, yields or parks outside the wait package")
    void nothingWaitsElsewhere() {
        check(noClasses().that(core().and(not(in(House.WAIT)))).should().accessTargetWhere(Calls.waiting()));
    }

    @Test
    @DisplayName("nothing in core blocks, except in the wait package and on processes in the launch package")
    void nothingBlocksElsewhere() {
        check(noClasses()
                .that(core().and(not(in(House.WAIT, House.LAUNCH))))
                .should()
                .accessTargetWhere(Calls.blocking()));
    }

    @Test
    @DisplayName("a job across hosts reads the clock and pauses in one class, so that tests have a clock of their own")
    void clusterHasOneClock() {
        check(noClasses()
                .that(in("coterie.cluster").and(not(describe("are its clock", House::isJobClock))))
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", Duration.class));
    }

    @Test
    @DisplayName("public methods of the API take no booleans, but for some with a reason")
    void apiTakesNoFlags() {
        assertThat(house.stream()
                        .filter(House::isPublished)
                        .flatMap(type -> type.getMethods().stream())
                        .filter(ArchitectureTest::takesFlag)
                        .map(JavaMethod::getFullName))
                .containsExactlyInAnyOrderElementsOf(FLAGS.keySet());
    }

    private static boolean takesFlag(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.PUBLIC)
                && !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                && method.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(boolean.class));
    }

    @Test
    @DisplayName("no static state: static fields of core are final")
    void staticFieldsAreFinal() {
        check(fields().that()
                .areDeclaredInClassesThat(core())
                .and()
                .areStatic()
                .should()
                .beFinal());
    }

    @Test
    @DisplayName("no static state: constants of core are of immutable kinds, but for three (decisions 0003, 0083)")
    void constantsAreImmutable() {
        check(noFields()
                .that()
                .doNotHaveFullName("coterie.internal.world.WorldHolder.WITHOUT_GROUP")
                .and()
                .doNotHaveFullName("coterie.internal.world.PeThreadGroup.JOINED")
                .and()
                .doNotHaveFullName("coterie.internal.world.HostedWorld.CURRENT")
                .and()
                .areDeclaredInClassesThat(core())
                .and()
                .areStatic()
                .and()
                .doNotHaveModifier(JavaModifier.SYNTHETIC)
                .should(Constants.beMutable()));
    }

    @Test
    @DisplayName("core prints nothing outside the launch package")
    void corePrintsNothing() {
        check(noClasses().that(core().and(not(in(House.LAUNCH)))).should().accessTargetWhere(Calls.printing()));
    }

    @Test
    @DisplayName("every package is @NullMarked in its package-info")
    void everyPackageIsNullMarked() {
        var bare = new TreeSet<String>();
        for (JavaClass type : house) {
            JavaPackage room = type.getPackage();
            if (!type.getSimpleName().equals("module-info") && !isNullMarked(room)) {
                bare.add(room.getName());
            }
        }
        assertThat(bare).as("packages without a @NullMarked package-info").isEmpty();
    }

    private static boolean isNullMarked(JavaPackage room) {
        return room.tryGetPackageInfo()
                .map(info -> info.isAnnotatedWith(NullMarked.class))
                .orElse(false);
    }

    /// Packages without classes yet are fine.
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(house);
    }
}
