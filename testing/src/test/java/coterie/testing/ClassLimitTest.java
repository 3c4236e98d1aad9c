// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClassLimitTest {

    @Test
    @DisplayName(
            "on a quiet machine a class certainly above the limit fails with its name and the remedy, one at it does not")
    void quiet() {
        ClassLimit.Verdicts verdicts = judge(limit(() -> 1), HundredSeconds.quiet(), 20.0, 24.1);
        assertThat(verdicts.failures())
                .containsExactly(
                        "coterie.SlowTest (core, surefire) took 24.1 s; a class of the fast tier has 20 s: split"
                                + " it, or move its long part into the soak tier (CONTRIBUTING.md, Tests)");
        assertThat(verdicts.withheld()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("no class fails where the module's times are in doubt, however long it took")
    void inDoubt(ModuleTime module) {
        ClassLimit.Verdicts verdicts = judge(limit(() -> 1), module, 99);
        assertThat(verdicts.failures()).isEmpty();
        assertThat(verdicts.withheld())
                .containsExactly("no verdict: coterie.SlowTest (core, surefire) took 99.0 s, but "
                        + module.doubt(HundredSeconds.PROCESSORS).orElseThrow());
    }

    static List<ModuleTime> inDoubt() {
        return List.of(
                HundredSeconds.with(30, 0, 0),
                HundredSeconds.with(0, 30, 0),
                HundredSeconds.with(0, 0, 30),
                HundredSeconds.withUncounted(30),
                HundredSeconds.besideOthers(),
                HundredSeconds.throttled(),
                HundredSeconds.afterUnknown());
    }

    @Test
    @DisplayName("a test that needs tools, and may start whole builds, has no limit")
    void integrationTests() {
        TestReport slow = new TestReport("core", "failsafe", "coterie.SlowIT", 99, 1, List.of());
        ClassLimit.Verdicts verdicts = limit(() -> 1).judge(List.of(slow), Map.of("core", HundredSeconds.quiet()));
        assertThat(verdicts.failures()).isEmpty();
        assertThat(verdicts.withheld()).isEmpty();
    }

    @Test
    @DisplayName("no class fails in a module that did not end")
    void withoutEnd() {
        ClassLimit.Verdicts verdicts = limit(() -> 1).judge(List.of(report(99)), Map.of());
        assertThat(verdicts.failures()).isEmpty();
        assertThat(verdicts.withheld()).singleElement().asString().endsWith("but core did not end");
    }

    @Test
    @DisplayName("all time of others in a module may have been in one class: it fails only if the rest is too long")
    void othersInOneClass() {
        ClassLimit.Verdicts verdicts = judge(limit(() -> 1), HundredSeconds.with(6, 0, 0), 30, 30.1);
        assertThat(verdicts.failures()).singleElement().asString().contains("took 30.1 s");
        assertThat(verdicts.withheld())
                .containsExactly(
                        "no verdict: coterie.SlowTest (core, surefire) took 30.0 s, but others may have delayed it"
                                + " by 6.0 s, and it has 24.0 s on a machine of this speed");
    }

    @Test
    @DisplayName("on a slow machine a class has longer, on a fast one it has no less")
    void speed() {
        assertThat(judge(limit(() -> 1.5), HundredSeconds.quiet(), 36).failures())
                .isEmpty();
        assertThat(judge(limit(() -> 1.5), HundredSeconds.quiet(), 36.1).failures())
                .hasSize(1);
        assertThat(judge(limit(() -> 0.5), HundredSeconds.quiet(), 19).failures())
                .isEmpty();
        assertThat(judge(limit(() -> 0.5), HundredSeconds.quiet(), 20.1).failures())
                .hasSize(1);
    }

    @Test
    @DisplayName("the machine's speed is measured once, and only if a class took longer than the limit")
    void measuresOnce() {
        var measurements = new AtomicInteger();
        DoubleSupplier slowdown = measurements::incrementAndGet;
        judge(limit(slowdown), HundredSeconds.quiet(), 20);
        assertThat(measurements).hasValue(0);
        judge(limit(slowdown), HundredSeconds.quiet(), 21, 22);
        assertThat(measurements).hasValue(1);
    }

    @Test
    @DisplayName("exempt classes have no limit, and without a limit no class has one")
    void noLimit() {
        var exempt = new ClassLimit(20, HundredSeconds.PROCESSORS, () -> 1, Set.of("coterie.SlowTest"));
        var infinite = new ClassLimit(Double.POSITIVE_INFINITY, HundredSeconds.PROCESSORS, () -> 1, Set.of());
        for (ClassLimit limit : List.of(exempt, infinite)) {
            ClassLimit.Verdicts verdicts = judge(limit, HundredSeconds.quiet(), 99);
            assertThat(verdicts.failures()).isEmpty();
            assertThat(verdicts.withheld()).isEmpty();
        }
    }

    @Test
    @DisplayName("the computation that measures the machine takes a time")
    void measures() {
        assertThat(MachineSpeed.slowdown()).isPositive().isFinite();
    }

    private static ClassLimit limit(DoubleSupplier slowdown) {
        return new ClassLimit(20, HundredSeconds.PROCESSORS, slowdown, Set.of());
    }

    private static ClassLimit.Verdicts judge(ClassLimit limit, ModuleTime module, double... seconds) {
        List<TestReport> reports =
                Arrays.stream(seconds).mapToObj(ClassLimitTest::report).toList();
        return limit.judge(reports, Map.of("core", module));
    }

    private static TestReport report(double seconds) {
        return new TestReport("core", "surefire", "coterie.SlowTest", seconds, 1, List.of());
    }
}
