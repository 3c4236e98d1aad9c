// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.nio.file.Path;
import java.time.Instant;

/// A module that took 100 s on a machine of two processors, 150 s of which the build used.
final class HundredSeconds {
    static final int PROCESSORS = 2;

    private static final Instant BUILD = Instant.parse("2026-01-31T12:00:00Z");
    private static final long START_MICROS = 1_000_000_000;

    private HundredSeconds() {}

    static ModuleTime quiet() {
        return with(0, 0, 0);
    }

    /// @param others  processor seconds of other processes
    /// @param waiting idle processor seconds in which a process waited for a disk
    /// @param stolen  processor seconds that the hypervisor gave to another machine
    static ModuleTime with(double others, double waiting, double stolen) {
        return new ModuleTime(start(), end(1, 0, ticks(1000 + 150 + others, waiting, stolen, 1200), 151L * 100));
    }

    static ModuleTime besideOthers() {
        return new ModuleTime(start(), end(2, 0, ticks(1150, 0, 0, 1200), 15_100));
    }

    static ModuleTime throttled() {
        return new ModuleTime(start(), end(1, 3, ticks(1150, 0, 0, 1200), 15_100));
    }

    /// As if the machine had stood still for a while.
    static ModuleTime withUncounted(double seconds) {
        return new ModuleTime(start(), end(1, 0, ticks(1150, 0, 0, 1200 - seconds), 15_100));
    }

    static ModuleTime afterUnknown() {
        return new ModuleTime(ClockSample.first(BUILD), quiet().end());
    }

    private static ClockSample start() {
        return new ClockSample("parent", Path.of("target"), BUILD, 1, START_MICROS, ticks(1000, 0, 0, 1000), 100L, 0);
    }

    private static ClockSample end(int threads, long throttled, MachineTicks machine, long mavenTicks) {
        return new ClockSample(
                "core",
                Path.of("core/target"),
                BUILD,
                threads,
                START_MICROS + 100_000_000,
                machine,
                mavenTicks,
                throttled);
    }

    private static MachineTicks ticks(double busy, double waiting, double stolen, double all) {
        return new MachineTicks(
                Math.round(busy * 100),
                Math.round(waiting * 100),
                Math.round(stolen * 100),
                Math.round(all * 100),
                PROCESSORS);
    }
}
