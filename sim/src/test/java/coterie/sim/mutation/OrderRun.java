// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import coterie.CoterieException;
import coterie.sim.RaceException;
import coterie.sim.SimJob;
import java.util.Collection;
import java.util.function.BinaryOperator;

/// Runs an [OrderCase] once. A [MutantLoader] makes it, so the caller shares no classes with it. It takes the
/// case's name and a script as strings, and returns one of the constants.
public final class OrderRun implements BinaryOperator<String> {
    static final String GOOD = "good";

    /// The put bytes were not visible.
    static final String STALE = "stale";

    /// The race detector has found a race.
    static final String RACE = "race";

    /// The runtime itself has lost its way: its allocations depend on the same orders.
    static final String LOST = "lost";

    /// For [MutantLoader].
    public OrderRun() {}

    @Override
    public String apply(String name, String script) {
        OrderCase order = OrderCase.valueOf(name);
        Collection<Throwable> failures = SimJob.run(order.pes, order.script(script), order::run)
                .failures()
                .values();
        if (failures.isEmpty()) {
            return GOOD;
        }
        if (failures.stream().anyMatch(OrderCase.Stale.class::isInstance)) {
            return STALE;
        }
        if (failures.stream().anyMatch(RaceException.class::isInstance)) {
            return RACE;
        }
        if (failures.stream().anyMatch(CoterieException.class::isInstance)) {
            return LOST;
        }
        throw new AssertionError(
                name + " with " + script + " has ended as no mutation should end it",
                failures.iterator().next());
    }
}
