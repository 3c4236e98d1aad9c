// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the launcher reads of the machine.
class MachineTest {
    @Test
    void memoryIsWhatTheJdkFinds() {
        long found = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
        assertThat(Machine.memoryBytes()).isEqualTo(found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "3", "0-3", "0-1,3", "2,4-6,8"})
    void setsOfProcessorsAreWrittenAsTheyAreRead(String list) {
        assertThat(Machine.formatProcessors(Machine.parseProcessors(list))).isEqualTo(list);
    }

    @Test
    void pesTakeTurnsOnTheCoresThatThisProcessMayUse() {
        List<BitSet> places = Machine.processors(CpuBinding.CORE, 5);
        int cores = Runtime.getRuntime().availableProcessors();
        assertThat(places).hasSize(5).allMatch(place -> place.cardinality() == 1);
        assertThat(places.stream().distinct().count()).isEqualTo(Math.min(cores, 5));
    }

    @Test
    void nodesHaveAllCoresThatThisProcessMayUse() {
        BitSet all = new BitSet();
        Machine.processors(CpuBinding.NUMA, 64).forEach(all::or);
        BitSet cores = new BitSet();
        Machine.processors(CpuBinding.CORE, 64).forEach(cores::or);
        assertThat(all).isEqualTo(cores);
    }

    @Test
    void defaultHeapIsWholeMebibytesAndDividedByThePes() {
        long one = JobSpec.defaultHeapBytes(1);
        assertThat(one % (1 << 20)).isZero();
        assertThat(one).isBetween(1L << 20, 16L << 30);
        assertThat(JobSpec.defaultHeapBytes(1024)).isBetween(1L << 20, Machine.memoryBytes() / 4 / 1024);
    }

    @ParameterizedTest
    @EnumSource(value = CpuBinding.class, names = "CORE")
    void aBoundPeHasOneProcessor(CpuBinding binding) {
        try (Launch launch = Launch.run("pes=2 output=lines binding=" + binding, CountsProcessors.class)) {
            assertThat(launch.out()).containsExactlyInAnyOrder("0 out 1", "1 out 1");
        }
    }

    static final class CountsProcessors {
        public static void main(String[] args) {
            System.out.println(Runtime.getRuntime().availableProcessors());
        }
    }
}
