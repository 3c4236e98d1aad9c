// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import coterie.ThreadLevel;
import coterie.sim.SimJob;
import java.util.Collection;
import java.util.function.BinaryOperator;

/// Runs a [GateCase] once; see [OrderRun].
public final class GateRun implements BinaryOperator<String> {
    static final String GOOD = "good";

    /// The law was broken.
    static final String BROKEN = "broken";

    /// For [MutantLoader].
    public GateRun() {}

    @Override
    public String apply(String name, String script) {
        GateCase gate = GateCase.valueOf(name);
        Collection<Throwable> failures = SimJob.runAt(ThreadLevel.SERIALIZED, gate.pes, script, gate::run)
                .failures()
                .values();
        if (failures.isEmpty()) {
            return GOOD;
        }
        if (failures.stream().anyMatch(GateCase.Admitted.class::isInstance)) {
            return BROKEN;
        }
        throw new AssertionError(
                name + " has ended as no mutation should end it",
                failures.iterator().next());
    }
}
