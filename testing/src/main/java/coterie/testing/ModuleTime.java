// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// What a module of a build took: from the end of the module before it, or the start of the build, to its own end.
record ModuleTime(ClockSample before, ClockSample end) {

    /// The part of the processors' time that a quiet machine may spend on others. What keeps the times of a build from
    /// being its own, such as a second build, takes several times as much.
    private static final double QUIET = 0.1;

    static List<ModuleTime> of(ClockSample first, List<ClockSample> samples) {
        List<ModuleTime> times = new ArrayList<>();
        ClockSample before = first;
        for (ClockSample end : samples) {
            times.add(new ModuleTime(before, end));
            before = end;
        }
        return times;
    }

    String name() {
        return end.module();
    }

    /// Modules that run side by side share one JVM of Maven, and the end of one is not the start of the next.
    boolean isSeparable() {
        return end.threads() == 1;
    }

    double wallSeconds() {
        return (end.micros() - before.micros()) / 1e6;
    }

    /// The processor time of the build; empty if it is unknown.
    OptionalDouble processorSeconds() {
        Long from = before.mavenTicks();
        Long to = end.mavenTicks();
        return from == null || to == null
                ? OptionalDouble.empty()
                : OptionalDouble.of((to - from) / MachineTicks.PER_SECOND);
    }

    /// The time of the processors, added up, in which the build can have been delayed by what is not the build: other
    /// processes, the hypervisor, the disk, and what the clocks disagree about. Empty if it is unknown.
    OptionalDouble foreignSeconds() {
        MachineTicks from = before.machine();
        MachineTicks to = end.machine();
        OptionalDouble own = processorSeconds();
        if (from == null || to == null || own.isEmpty()) {
            return OptionalDouble.empty();
        }
        double busy = (to.busy() - from.busy()) / MachineTicks.PER_SECOND;
        double others = Math.max(0, busy - own.getAsDouble());
        double lost = (to.waiting() - from.waiting() + to.stolen() - from.stolen()) / MachineTicks.PER_SECOND;
        double counted = (to.all() - from.all()) / MachineTicks.PER_SECOND;
        double uncounted = Math.abs(wallSeconds() * to.processors() - counted);
        return OptionalDouble.of(others + lost + uncounted);
    }

    /// Returns why the times of this module say nothing about its tests; empty if the machine was the build's alone.
    ///
    /// @param processors those that the build may use
    Optional<String> doubt(int processors) {
        if (!isSeparable()) {
            return Optional.of("modules ran side by side");
        }
        OptionalDouble foreign = foreignSeconds();
        if (foreign.isEmpty()) {
            return Optional.of("it is unknown what else the machine did during " + name());
        }
        if (end.throttled() != before.throttled()) {
            return Optional.of("a control group kept the build from its processors during " + name());
        }
        double share = foreign.getAsDouble() / (wallSeconds() * processors);
        return share <= QUIET
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%.0f %% of the processors' time during %s went to other processes, the hypervisor or the disk",
                        100 * share,
                        name()));
    }
}
