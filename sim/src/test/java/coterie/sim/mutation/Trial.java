// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.BinaryOperator;

/// All [OrderCase]s on a runtime with a [Mutant], each in many orders of events.
final class Trial {
    static final String NATIVE = "order=native";
    static final String WEAK = "order=weak";

    private static final int SEEDS = Boolean.getBoolean("coterie.soak") ? 24 : 10;

    /// The race detector needs few orders.
    private static final int SEEDS_WITH_RACES = Boolean.getBoolean("coterie.soak") ? 6 : 3;

    private final BinaryOperator<String> runner;

    Trial(Mutant mutant) {
        this.runner = new MutantLoader(mutant).runner(OrderRun.class);
    }

    /// Returns the cases that found stale data, without the race detector.
    Set<OrderCase> stale(String order) {
        return casesThatEnd(OrderRun.STALE, SEEDS, order + ",races=off");
    }

    /// Returns the cases in which the race detector found a race.
    Set<OrderCase> races(String order) {
        return casesThatEnd(OrderRun.RACE, SEEDS_WITH_RACES, order + ",races=on");
    }

    /// Returns the cases in which the runtime itself lost its way, without the race detector.
    Set<OrderCase> lost(String order) {
        return casesThatEnd(OrderRun.LOST, SEEDS, order + ",races=off");
    }

    private Set<OrderCase> casesThatEnd(String so, int seeds, String script) {
        Set<OrderCase> cases = EnumSet.noneOf(OrderCase.class);
        for (OrderCase each : OrderCase.values()) {
            for (int seed = 1; seed <= seeds && !cases.contains(each); seed++) {
                if (runner.apply(each.name(), script + ",seed=" + seed).equals(so)) {
                    cases.add(each);
                }
            }
        }
        return cases;
    }
}
