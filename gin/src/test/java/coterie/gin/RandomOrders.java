// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.sim.schedule.SchedulingStrategy;
import java.util.List;
import java.util.SplittableRandom;

/// Orders of events by seeds, one for each run: for programs with too many orders to run all of them.
final class RandomOrders implements SchedulingStrategy {
    private final int runs;
    private int run;
    private SplittableRandom random = new SplittableRandom(0);

    RandomOrders(int runs) {
        this.runs = runs;
    }

    /// Some messages are slow: many other events happen first.
    @Override
    public int choose(List<Option> options) {
        int chosen = random.nextInt(options.size());
        Option option = options.get(chosen);
        boolean isSlow = option instanceof Arrival && ((option.label().hashCode() * 31 + run) & 1) == 0;
        return isSlow && random.nextInt(16) != 0 ? random.nextInt(options.size()) : chosen;
    }

    /// Ends a run. Returns whether another one follows.
    boolean advance() {
        random = new SplittableRandom(++run);
        return run < runs;
    }

    /// The number of runs that have ended.
    int count() {
        return run;
    }

    @Override
    public String toString() {
        return "seed " + run;
    }
}
