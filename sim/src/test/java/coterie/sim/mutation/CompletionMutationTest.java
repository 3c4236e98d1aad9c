// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import static coterie.sim.mutation.Mutant.answering;
import static coterie.sim.mutation.Mutant.dropped;
import static coterie.sim.mutation.Mutant.followedBy;
import static coterie.sim.mutation.Mutant.insteadBy;
import static coterie.sim.mutation.OrderCase.BARRIER;
import static coterie.sim.mutation.OrderCase.FENCE;
import static coterie.sim.mutation.OrderCase.PUT_SIGNAL;
import static coterie.sim.mutation.OrderCase.QUIET;
import static coterie.sim.mutation.OrderCase.QUIET_BEHIND_FENCE;
import static coterie.sim.mutation.OrderCase.SPLIT_PUT_SIGNAL;
import static coterie.sim.mutation.OrderCase.STRONG_SIGNAL;
import static coterie.sim.mutation.Trial.NATIVE;
import static coterie.sim.mutation.Trial.WEAK;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Mutations of what completes operations: quiets, barriers, and signals that come with a payload.
class CompletionMutationTest {
    private static final String CONTEXT = "coterie.internal.rma.PeContext";
    private static final String BLOCKING = "coterie.internal.rma.BlockingChannel";
    private static final String TEAM_SYNC = "coterie.internal.sync.TeamSync";
    private static final String ORDERED = "coterie.internal.order.OrderedChannel";
    private static final String CHANNEL = "coterie.sim.network.SimChannel";
    private static final String NETWORK = "coterie.sim.network.SimNetwork";

    /// Sources of blocking puts may be reused at once: a local quiet would not wait.
    @Test
    void aLocalQuietIsCaught() {
        Trial trial = new Trial(Mutant.of(CONTEXT, "complete", "quiet", dropped()));
        assertThat(trial.stale(NATIVE)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
        assertThat(trial.stale(WEAK)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
        assertThat(trial.races(NATIVE)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
    }

    /// On a network without fences the runtime's fences depend on the network's quiet, too.
    @Test
    void aLocalQuietOfTheNetworkIsCaught() {
        Trial trial = new Trial(Mutant.of(CHANNEL, "quiet", "isQuiet", answering(1)));
        assertThat(trial.stale(NATIVE)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
        assertThat(trial.stale(WEAK)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE, FENCE, STRONG_SIGNAL);
        assertThat(trial.races(NATIVE)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
    }

    /// This network's quiet also waits for operations that start during it; the race detector does not rely on
    /// that.
    @Test
    void aQuietThatForgetsWhatIsHeldBackIsCaughtByTheRaceDetector() {
        Trial trial = new Trial(Mutant.of(ORDERED, "quiet", "holdsBack", answering(0)));
        assertThat(trial.races(WEAK)).containsExactly(QUIET_BEHIND_FENCE);
    }

    @Test
    void aBarrierWithoutItsQuietIsCaught() {
        Trial trial = new Trial(Mutant.of(TEAM_SYNC, "synchronize", "completeForNotified", dropped()));
        assertThat(trial.stale(NATIVE)).containsExactly(BARRIER);
        assertThat(trial.stale(WEAK)).containsExactly(BARRIER);
        assertThat(trial.races(NATIVE)).containsExactly(BARRIER);
    }

    @Test
    void aSignalThatIsSentBesideItsPayloadIsCaught() {
        Trial trial =
                new Trial(Mutant.of(BLOCKING, "putSignal", "putSignal", insteadBy(SignalFirst.class, "putSignal")));
        assertThat(trial.stale(NATIVE)).containsExactly(PUT_SIGNAL, SPLIT_PUT_SIGNAL);
        assertThat(trial.stale(WEAK)).containsExactly(PUT_SIGNAL, SPLIT_PUT_SIGNAL);
        assertThat(trial.races(NATIVE)).containsExactly(PUT_SIGNAL, SPLIT_PUT_SIGNAL);
    }

    @Test
    void aSignalThatComesWithTheFirstPieceOfItsPayloadIsCaught() {
        Trial trial = new Trial(
                Mutant.of(NETWORK, "apply", "write", followedBy("signal")).and("signal", dropped()));
        assertThat(trial.stale(NATIVE)).containsExactly(SPLIT_PUT_SIGNAL);
        assertThat(trial.stale(WEAK)).containsExactly(SPLIT_PUT_SIGNAL);
        assertThat(trial.races(NATIVE)).containsExactly(SPLIT_PUT_SIGNAL);
    }
}
