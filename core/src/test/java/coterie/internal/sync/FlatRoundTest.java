// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Team;
import coterie.internal.team.TeamSyncs;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("rounds in which each member notifies all others")
class FlatRoundTest {
    private static final int SAID = 77;

    @ParameterizedTest
    @EnumSource(names = {"BARRIER", "CLOSE"})
    @DisplayName("a member prefetches the lines of the next round, but not after the last round")
    void claims(OperationKind kind) {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                Team team = world.team().duplicate();
                FlatRound meeting = (FlatRound) TeamSyncs.of(world, team).syncRound();
                for (int word = 0; word < SyncRound.WORDS; word++) {
                    meeting.send(word, SAID);
                }
                meeting.synchronize(OperationKind.ALL_REDUCE, SyncRound.WORDS, null);
                meeting.synchronizeEnd(kind, 0);
                world.team().barrier(); // now the stores of the other after that have arrived
                boolean isClaimed = kind != OperationKind.CLOSE && !meeting.room.isOversubscribed();
                meeting.sequence++;
                assertThat(meeting.received(1 - world.pe(), SyncRound.WORDS - 1))
                        .isEqualTo(isClaimed ? 0 : SAID);
                meeting.sequence--;
                team.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 1L << 39, 1L << 40, 3L << 50})
    @DisplayName("the first proposal stands, however many rounds there have been")
    void decides(long rounds) {
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                Team team = world.team().duplicate();
                FlatRound meeting = (FlatRound) TeamSyncs.of(world, team).syncRound();
                meeting.sequence += rounds;
                for (int round = 0; round < 3; round++) {
                    meeting.synchronize(OperationKind.ALL_REDUCE, 0, null);
                    long decided = meeting.agreement.decide(round * 10L + world.pe());
                    assertThat(decided).isBetween(round * 10L, round * 10L + 2);
                    meeting.send(0, decided);
                    meeting.synchronize(OperationKind.ALL_REDUCE, 1, null);
                    assertThat(meeting.firstDifferent(0)).isEqualTo(-1);
                }
                team.close();
            });
        }
    }
}
