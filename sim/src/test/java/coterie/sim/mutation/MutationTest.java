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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// What would happen if the runtime or the network were wrong about order: the cases of the law that is broken find
/// stale data, and no others do. So the cases can fail, and the simulated network gives them the occasion.
class MutationTest {
    private static final String CONTEXT = "coterie.internal.rma.PeContext";
    private static final String WIRE = "coterie.internal.rma.BlockingChannel";
    private static final String GATHERING = "coterie.internal.collective.TeamSync";
    private static final String ORDERED = "coterie.internal.order.OrderedChannel";
    private static final String CHANNEL = "coterie.sim.network.SimChannel";
    private static final String LANE = "coterie.sim.network.InFlightQueue";
    private static final String NETWORK = "coterie.sim.network.SimNetwork";

    @Test
    void withoutAMutationNothingIsFound() {
        Trial trial = new Trial(Mutant.NONE);
        assertThat(trial.stale(NATIVE)).isEmpty();
        assertThat(trial.stale(WEAK)).isEmpty();
        assertThat(trial.races(NATIVE)).isEmpty();
        assertThat(trial.races(WEAK)).isEmpty();
    }

    @Test
    void aFenceThatIsSkippedIsCaught() {
        Trial trial = new Trial(Mutant.of(CONTEXT, "fence", "fence", dropped()));
        assertThat(trial.stale(NATIVE)).containsExactly(FENCE, STRONG_SIGNAL);
        assertThat(trial.stale(WEAK)).containsExactly(FENCE, STRONG_SIGNAL);
        assertThat(trial.races(NATIVE)).containsExactly(FENCE, STRONG_SIGNAL);
    }

    /// Each message takes effect as it comes. The program is right, so that there is no race.
    @Test
    void aStrongSignalThatIgnoresTheCursorIsCaught() {
        Trial trial = new Trial(Mutant.of(LANE, "arrive", "done", answering(Long.MAX_VALUE)));
        assertThat(trial.stale(NATIVE)).containsExactly(FENCE, STRONG_SIGNAL);
        assertThat(trial.races(NATIVE)).isEmpty();
    }

    /// The same where the runtime orders for the network. The race detector sees what reaches that.
    @Test
    void aStrongSignalThatIsNotHeldBackIsCaught() {
        Trial trial = new Trial(Mutant.of(ORDERED, "goesNow", "isClear", answering(1)));
        assertThat(trial.stale(WEAK)).containsExactly(FENCE, STRONG_SIGNAL);
        assertThat(trial.races(WEAK)).containsExactly(FENCE, STRONG_SIGNAL);
    }

    /// The sources of blocking puts may be reused at once: a local quiet has nothing to wait for.
    @Test
    void aLocalQuietIsCaught() {
        Trial trial = new Trial(Mutant.of(CONTEXT, "complete", "quiet", dropped()));
        assertThat(trial.stale(NATIVE)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
        assertThat(trial.stale(WEAK)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
        assertThat(trial.races(NATIVE)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
    }

    /// On a weak network the runtime's fences rest on it, too.
    @Test
    void aLocalQuietOfTheNetworkIsCaught() {
        Trial trial = new Trial(Mutant.of(CHANNEL, "quiet", "isQuiet", answering(1)));
        assertThat(trial.stale(NATIVE)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
        assertThat(trial.stale(WEAK)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE, FENCE, STRONG_SIGNAL);
        assertThat(trial.races(NATIVE)).containsExactly(BARRIER, QUIET, QUIET_BEHIND_FENCE);
    }

    /// This network happens to wait for what is started during a quiet, too; the race detector doesn't rely on it.
    @Test
    void aQuietThatForgetsWhatIsHeldBackIsCaughtByTheRaceDetector() {
        Trial trial = new Trial(Mutant.of(ORDERED, "quiet", "holdsBack", answering(0)));
        assertThat(trial.races(WEAK)).containsExactly(QUIET_BEHIND_FENCE);
    }

    @Test
    void aBarrierWithoutItsQuietIsCaught() {
        Trial trial = new Trial(Mutant.of(GATHERING, "synchronise", "completeForTold", dropped()));
        assertThat(trial.stale(NATIVE)).containsExactly(BARRIER);
        assertThat(trial.stale(WEAK)).containsExactly(BARRIER);
        assertThat(trial.races(NATIVE)).containsExactly(BARRIER);
    }

    @Test
    void aSignalThatIsSentBesideItsPayloadIsCaught() {
        Trial trial = new Trial(Mutant.of(WIRE, "putSignal", "putSignal", insteadBy(SignalFirst.class, "putSignal")));
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

    @Test
    void aMutationThatFindsNothingToChangeIsAnError() {
        assertThatThrownBy(() -> new Trial(Mutant.of(CONTEXT, "fence", "complete", dropped())))
                .isInstanceOf(AssertionError.class)
                .hasMessage("the mutation needs one call of complete in " + CONTEXT + ".fence, and there are 0");
    }
}
