// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.sim.SimJob;
import java.util.Collection;
import java.util.function.BinaryOperator;

/// Runs a [GinCase] once, with the case's name and a script, in a runtime of a mutant's own; returns one of the
/// constants.
public final class GinRun implements BinaryOperator<String> {
    static final String GOOD = "good";
    static final String STALE = "stale";

    /// For the loader.
    public GinRun() {}

    @Override
    public String apply(String name, String script) {
        GinCase each = GinCase.valueOf(name);
        Collection<Throwable> failures =
                SimJob.run(2, script, each::run).failures().values();
        if (failures.isEmpty()) {
            return GOOD;
        }
        if (failures.stream().anyMatch(GinCase.Stale.class::isInstance)) {
            return STALE;
        }
        throw new AssertionError(
                name + " with " + script + " has ended as no mutation should end it",
                failures.iterator().next());
    }
}
