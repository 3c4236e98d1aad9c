// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.sim.mutation.Mutant.answering;
import static coterie.sim.mutation.Mutant.dropped;
import static coterie.sim.mutation.Mutant.insteadBy;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.sim.mutation.Mutant;
import coterie.sim.mutation.MutantLoader;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Mutations of GIN's order: the cases of the guarantee that a mutation breaks see stale data, and no others do.
class GinMutationTest {
    private static final int SEEDS = Boolean.getBoolean("coterie.soak") ? 200 : 24;
    private static final String QUEUE = "coterie.gin.GinPeerQueue";
    private static final String STAGE = "coterie.gin.BarrierStage";
    private static final String SESSION = "coterie.gin.BarrierSession";

    private static Set<GinCase> stale(Mutant mutant) {
        MutantLoader loader =
                new MutantLoader(mutant.victim().isEmpty() ? Map.of() : Map.of(mutant.victim(), mutant::patch));
        BinaryOperator<String> runner = loader.runner(GinRun.class);
        Set<GinCase> cases = EnumSet.noneOf(GinCase.class);
        for (GinCase each : GinCase.values()) {
            for (int seed = 1; seed <= SEEDS && !cases.contains(each); seed++) {
                if (runner.apply(each.name(), "order=weak,races=off,seed=" + seed)
                        .equals(GinRun.STALE)) {
                    cases.add(each);
                }
            }
        }
        return cases;
    }

    @Test
    @DisplayName("without a mutation nothing is stale")
    void none() {
        assertThat(stale(Mutant.NONE)).isEmpty();
    }

    @Test
    @DisplayName("a strong signal made weak")
    void strongMadeWeak() {
        assertThat(stale(Mutant.of(QUEUE, "send", "isWeak", answering(1)))).containsExactly(GinCase.STRONG_PUT);
    }

    @Test
    @DisplayName("GI-B14 a network without strong signals: a barrier with PUT fails without the cursor")
    void withoutTheCursor() {
        assertThat(stale(Mutant.of(QUEUE, "isCursorThere", "isComplete", answering(1))))
                .containsExactly(GinCase.STRONG_PUT, GinCase.STRONG_SIGNAL, GinCase.BARRIER_PUT, GinCase.BARRIER_SELF);
    }

    @Test
    @DisplayName("a signal before its payload")
    void signalFirst() {
        assertThat(stale(Mutant.of(QUEUE, "send", "putSignalNbi", insteadBy(SignalBeforePut.class, "putSignalNbi"))))
                .containsExactly(GinCase.WEAK_PUT);
    }

    @Test
    @DisplayName("a counter at the post instead of at the consumption")
    void counterAtPost() {
        assertThat(stale(Mutant.of(QUEUE, "advance", "isComplete", answering(1))))
                .containsExactly(GinCase.COUNTER, GinCase.FLUSH, GinCase.BARRIER_GET);
    }

    @Test
    @DisplayName("a barrier with PUT without the signal to oneself")
    void withoutSelfSignal() {
        assertThat(stale(Mutant.of(STAGE, "arrive", "signalSelf", dropped()))).contains(GinCase.BARRIER_SELF);
    }

    @Test
    @DisplayName("a barrier with GET without its flush")
    void withoutFlush() {
        assertThat(stale(Mutant.of(SESSION, "await", "flush", dropped()))).containsExactly(GinCase.BARRIER_GET);
    }
}
