// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Team;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// One member comes to `syncLiving` in its work, while another calls `survivors` in its recovery.
@DisplayName("living members that call different agreements get an exception, all of them, and no team is made")
@ExtendWith(TestSettings.class)
class MixedAgreementTest {
    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "2, true", "1, false"})
    void allThrow(int other, boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                Team team = world.team();
                long used = FormationCase.areaOf(world).used();
                assertThatThrownBy(() -> {
                            if (world.pe() == other) {
                                team.syncLiving();
                            } else {
                                team.survivors();
                            }
                        })
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("members call different collectives: ")
                        .hasMessageContaining("PE " + other + " syncLiving");
                assertThat(FormationCase.areaOf(world).used()).isEqualTo(used);
                assertThat(team.syncLiving()).isEmpty();
                try (Team all = team.survivors()) {
                    assertThat(all.sum(1L)).isEqualTo(3);
                }
                team.barrier();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @DisplayName("so do the members that live, where one fails meanwhile")
    void allThatLiveThrow(int step) {
        set(Setting.FAULT, "survivors:" + step + "@0=fail");
        try (LocalJob job = new LocalJob(4)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team();
                assertThatThrownBy(() -> {
                            if (world.pe() == 2) {
                                team.syncLiving();
                            } else {
                                team.survivors();
                            }
                        })
                        .isInstanceOf(
                                world.pe() == 0 ? IllegalStateException.class : CollectiveMismatchException.class);
                if (world.pe() == 0) {
                    throw new IllegalStateException("it has failed");
                }
                assertThat(team.survivors().pes()).containsExactly(1, 2, 3);
            });
            assertThat(failures).containsOnlyKeys(0);
        }
    }
}
