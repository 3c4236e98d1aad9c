// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.collective.CollectiveType;
import coterie.internal.wait.WaitKind;

/// A team's barriers. A round is one; where people or layers that plug in have it otherwise, a barrier is a
/// collective like all others: members agree on it, then it goes its way.
///
/// Once a member has failed, those who live meet by rounds, since nothing else does without all members.
public final class Barriers {
    private final Gathering gathering;
    private final DataCollectives data;

    /// Whether they are rounds, once that is known.
    private boolean isRound;

    public Barriers(Gathering gathering, DataCollectives data) {
        this.gathering = gathering;
        this.data = data;
    }

    /// See [coterie.Team#barrier].
    public void barrier() {
        if (isRound()) {
            gathering.synchronise(WaitKind.BARRIER, true);
        } else {
            data.synchronise(WaitKind.LAYERED_BARRIER, true);
        }
    }

    /// See [coterie.Team#sync].
    public void sync() {
        if (isRound()) {
            gathering.synchronise(WaitKind.SYNC, false);
        } else {
            data.synchronise(WaitKind.LAYERED_SYNC, false);
        }
    }

    private boolean isRound() {
        if (!isRound && !gathering.isPoisoned()) {
            isRound = data.isNative(CollectiveType.BARRIER, 0);
        }
        return isRound || gathering.isPoisoned();
    }
}
