// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import java.math.BigInteger;
import java.util.Map;
import java.util.function.BinaryOperator;

/// Searches once. A [coterie.sim.mutation.MutantLoader] makes it, so the caller shares no classes with it. It
/// takes the numbers of an [AgreementModel.Shape] and of a range of seeds, and returns what it has found.
public final class AgreementRun implements BinaryOperator<String> {
    static final String GOOD = "good";

    /// For [coterie.sim.mutation.MutantLoader].
    public AgreementRun() {}

    @Override
    public String apply(String shape, String seeds) {
        String[] numbers = shape.split(" ", -1);
        AgreementModel.Shape searched = new AgreementModel.Shape(
                Integer.parseInt(numbers[0]),
                Integer.parseInt(numbers[1]),
                Integer.parseInt(numbers[2]),
                Boolean.parseBoolean(numbers[3]),
                Integer.parseInt(numbers[4]));
        AgreementModel model = new AgreementModel(searched);
        AgreementSearch search = new AgreementSearch(model);
        try {
            if (!seeds.isEmpty()) {
                long last = Long.parseLong(seeds);
                for (long seed = 1; seed <= last; seed++) {
                    search.sample(seed);
                }
                return GOOD + ": " + seeds + " runs with " + search.moves() + " moves";
            }
            Map<String, BigInteger> states = search.exhaust(searched.pollsAreAtomic());
            String ways = searched.pollsAreAtomic()
                    ? states.values().stream().max(BigInteger::compareTo).orElseThrow() + " interleavings, "
                    : "";
            return GOOD + ": " + states.size() + " states, " + search.moves() + " moves, " + ways + model.replays()
                    + " steps of the class";
        } catch (Violation e) {
            return e.getMessage();
        }
    }
}
