// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.collective.CollectiveType;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import java.util.function.Supplier;

/// A team's barriers. A round is one; where people or layers that plug in have it otherwise, a barrier is a
/// collective like all others, in which members agree on it before it goes its way.
public final class Barriers {
    private final TeamSync teamSync;
    private final Supplier<DataCollectives> data;
    private final AlgorithmSelector selector;

    /// Whether they are rounds and nothing else, once that is known.
    private boolean isRound;

    /// @param data serves barriers that are more than a round
    public Barriers(TeamSync teamSync, AlgorithmSelector selector, Supplier<DataCollectives> data) {
        this.teamSync = teamSync;
        this.data = data;
        this.selector = selector;
    }

    /// See [coterie.Team#barrier].
    public void barrier() {
        synchronize(OperationKind.BARRIER, true);
    }

    /// See [coterie.Team#sync].
    public void sync() {
        synchronize(OperationKind.SYNC, false);
    }

    private void synchronize(OperationKind round, boolean completes) {
        if (!isRound) {
            teamSync.checkUsable(round.label());
            isRound = selector.goesByRound(CollectiveType.BARRIER, 0);
        }
        if (isRound) {
            teamSync.synchronize(round, completes);
            selector.trace(round.label(), CollectiveType.BARRIER, 0, 0, AlgorithmSelector.ROUND);
        } else {
            data.get().synchronize(completes);
        }
    }
}
