// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.internal.memory.PeState;
import coterie.internal.memory.StatusField;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorldTest {
    @Test
    void aStrayReaderFindsZerosAfterTheWorldHasClosed() {
        try (LocalJob job = new LocalJob(2)) {
            MemorySegment[] stray = new MemorySegment[2];
            job.run(world -> {
                SymmetricMemory memory = world.allocate(1 << 20);
                stray[world.pe()] = memory.segment();
                memory.segment().fill((byte) 1);
                world.team().barrier();
            });
            for (MemorySegment segment : stray) {
                assertThat(segment.get(JAVA_LONG, 0)).isZero();
                segment.set(JAVA_LONG, 8, 1);
            }
        }
    }

    @Test
    void aPeJoinsAgainAfterItHasClosedAndFindsFreshMemory() {
        try (LocalJob job = new LocalJob(3)) {
            job.run(first -> {
                World world = first;
                for (int round = 0; round < 20; round++) {
                    SymmetricMemory memory = world.allocate(4096);
                    assertThat(memory.segment().get(JAVA_LONG, 0)).isZero();
                    world.team().barrier();
                    world.context().putLong(memory, 0, round + 1, (world.pe() + 1) % world.size());
                    world.team().barrier();
                    assertThat(memory.segment().get(JAVA_LONG, 0)).isEqualTo(round + 1);
                    world.close();
                    world = World.join();
                }
                world.close();
            });
            assertThat(job.segment().status(1).get(StatusField.WORLDS)).isEqualTo(21);
            assertThat(job.segment().status(1).state()).isEqualTo(PeState.CLOSED);
        }
    }

    @Test
    void joiningTwiceIsRefused() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> assertThatThrownBy(World::join)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("open already"));
        }
    }

    @Test
    void aPlainStartIsAJobOfOneAndTwoOfThemDoNotMeet() {
        try (World one = World.join();
                World other = World.join()) {
            SymmetricMemory mine = one.allocate(64);
            assertThat(one.size()).isEqualTo(1);
            one.team().barrier();
            other.team().barrier();
            assertThatThrownBy(() -> other.context().putLong(mine, 0, 1, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("of another world");
        }
    }

    @Test
    void countersReachTheStatusPageOnClose() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                try (SymmetricMemory memory = world.allocate(64)) {
                    for (int i = 0; i < 10; i++) {
                        world.context().putLong(memory, 0, i, 0);
                        world.context().fetchAdd(memory, 8, i, 0);
                    }
                }
            });
            assertThat(job.segment().status(1).get(StatusField.PUTS)).isEqualTo(10);
            assertThat(job.segment().status(1).get(StatusField.PUT_BYTES)).isEqualTo(80);
            assertThat(job.segment().status(1).get(StatusField.ATOMICS)).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1,4", "4,4", "two,4", ",4", "0,", "0,none"})
    void anEnvironmentThatMakesNoSenseIsRefusedByName(String pe, String size) {
        Map<String, String> environment = new HashMap<>();
        environment.put("COTERIE_SEGMENT", "/proc/1/fd/3");
        environment.put("COTERIE_PE", pe);
        environment.put("COTERIE_SIZE", size);
        environment.values().removeIf(Objects::isNull);
        assertThatThrownBy(() -> JobEnvironment.read(environment))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("COTERIE_")
                .hasMessageContaining("a number in [");
    }

    @Test
    void withoutASegmentTheEnvironmentNamesNoJob() {
        assertThat(JobEnvironment.read(Map.of("COTERIE_PE", "0"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "many", "10000000000"})
    void aSettingThatMakesNoSenseIsRefusedByName(String value) {
        System.setProperty(Setting.SPINS.property(), value);
        try {
            assertThatThrownBy(Setting.SPINS::number)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setting SPINS: \"" + value + "\" (from coterie.spins)");
        } finally {
            System.clearProperty(Setting.SPINS.property());
        }
    }
}
