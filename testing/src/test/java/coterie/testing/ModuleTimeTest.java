// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ModuleTimeTest {

    @Test
    @DisplayName(
            "a module takes from the end of the one before it to its own end; the first one from the build's start")
    void fromEndToEnd() {
        ClockSample end = HundredSeconds.quiet().end();
        ClockSample before = HundredSeconds.quiet().before();
        Instant start = Instant.ofEpochSecond(before.micros() / 1_000_000 - 5);
        List<ModuleTime> modules = ModuleTime.of(ClockSample.first(start), List.of(before, end));

        assertThat(modules).extracting(ModuleTime::name).containsExactly("parent", "core");
        assertThat(modules).extracting(ModuleTime::wallSeconds).containsExactly(5.0, 100.0);
        assertThat(modules.get(0).processorSeconds()).hasValue(1);
        assertThat(modules.get(1).processorSeconds()).hasValue(150);
    }

    @Test
    @DisplayName("time of others is that of other processes, the disk, the hypervisor and of clocks that disagree")
    void foreignSeconds() {
        assertThat(HundredSeconds.quiet().foreignSeconds()).hasValue(0);
        assertThat(HundredSeconds.with(4, 0, 0).foreignSeconds()).hasValue(4);
        assertThat(HundredSeconds.with(4, 2, 1).foreignSeconds()).hasValue(7);
        assertThat(HundredSeconds.with(-3, 0, 0).foreignSeconds()).hasValue(0);
        assertThat(HundredSeconds.withUncounted(8).foreignSeconds()).hasValue(8);
        assertThat(HundredSeconds.withUncounted(-8).foreignSeconds()).hasValue(8);
        assertThat(HundredSeconds.afterUnknown().foreignSeconds()).isEmpty();
    }

    @Test
    @DisplayName("a quiet module is beyond doubt, up to a tenth of the processors' time for others")
    void quiet() {
        assertThat(HundredSeconds.quiet().doubt(2)).isEmpty();
        assertThat(HundredSeconds.with(20, 0, 0).doubt(2)).isEmpty();
    }

    @Test
    @DisplayName("a loaded machine, a slow disk, a hypervisor and a jump of the clock are doubts")
    void loaded() {
        assertThat(HundredSeconds.with(24, 0, 0).doubt(2))
                .hasValueSatisfying(why -> assertThat(why)
                        .isEqualTo("12 % of the processors' time during core went to other processes, the"
                                + " hypervisor or the disk"));
        assertThat(HundredSeconds.with(0, 21, 0).doubt(2)).isPresent();
        assertThat(HundredSeconds.with(0, 0, 21).doubt(2)).isPresent();
        assertThat(HundredSeconds.withUncounted(21).doubt(2)).isPresent();
    }

    @Test
    @DisplayName("others of a large machine count against the processors that the build may use")
    void fewOfManyProcessors() {
        assertThat(HundredSeconds.with(12, 0, 0).doubt(2)).isEmpty();
        assertThat(HundredSeconds.with(12, 0, 0).doubt(1)).isPresent();
    }

    @Test
    @DisplayName("modules side by side, a throttled build and an unknown machine are doubts")
    void otherDoubts() {
        assertThat(HundredSeconds.besideOthers().doubt(2)).hasValue("modules ran side by side");
        assertThat(HundredSeconds.throttled().doubt(2))
                .hasValue("a control group kept the build from its processors during core");
        assertThat(HundredSeconds.afterUnknown().doubt(2))
                .hasValue("it is unknown what else the machine did during core");
    }
}
