// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.sync.ScalarOperator;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import java.util.Objects;

/// Reduces a number of each member in the round of the call.
///
/// @param teamSync the rounds of the team
record NumberRound(TeamSync teamSync) {
    /// The word behind that of the arguments.
    private static final int VALUE = 1;

    void run(Call call) {
        SyncRound round = teamSync.syncRound();
        ScalarOperator operator = Objects.requireNonNull(call.operator, "operator");
        round.send(VALUE, call.number);
        teamSync.agree(call.agreed, VALUE + 1, operator);
        call.number = round.combined(operator, VALUE);
    }
}
