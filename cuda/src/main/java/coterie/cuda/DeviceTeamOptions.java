// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import java.time.Duration;
import java.util.Objects;

/// What a [DeviceTeam] has. All members of the team give the same.
///
/// @param timeout of each wait of a kernel; [Duration#ZERO]: none
/// @param ringSlots operations that the ring to the host has room for, a power of two in `[2, 2^20]`
/// @param barriers barriers that kernels can use at the same time, in `[1, 4096]`
/// @param contexts contexts of `coterie_gin.cuh`, in `[1, 256]`
/// @param signals indexed signals of each context, in `[0, 65536]`
/// @param counters counters of each context, in `[0, 65536]`
public record DeviceTeamOptions(
        Duration timeout, int ringSlots, int barriers, int contexts, int signals, int counters) {

    /// A minute for each wait, 1,024 slots, 16 barriers, 4 contexts, 64 signals and 64 counters in each.
    public static final DeviceTeamOptions DEFAULT = new DeviceTeamOptions(Duration.ofMinutes(1), 1024, 16, 4, 64, 64);

    private static final int MAX_SLOTS = 1 << 20;
    private static final int MAX_BARRIERS = 4096;
    private static final int MAX_CONTEXTS = 256;
    private static final int MAX_WORDS = 65_536;

    public DeviceTeamOptions {
        if (Objects.requireNonNull(timeout, "DeviceTeamOptions: timeout is null")
                .isNegative()) {
            throw new IllegalArgumentException("DeviceTeamOptions: a timeout of " + timeout
                    + "; allowed are 0, which means none, and positive ones");
        }
        check("ringSlots", ringSlots, 2, MAX_SLOTS);
        if (Integer.bitCount(ringSlots) != 1) {
            throw new IllegalArgumentException("DeviceTeamOptions: ringSlots is " + ringSlots + ", no power of two");
        }
        check("barriers", barriers, 1, MAX_BARRIERS);
        check("contexts", contexts, 1, MAX_CONTEXTS);
        check("signals", signals, 0, MAX_WORDS);
        check("counters", counters, 0, MAX_WORDS);
    }

    /// Returns the timeout in nanoseconds; one of centuries is none, and 0.
    public long timeoutNanos() {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return 0;
        }
    }

    /// Returns these options with another timeout.
    public DeviceTeamOptions withTimeout(Duration timeout) {
        return new DeviceTeamOptions(timeout, ringSlots, barriers, contexts, signals, counters);
    }

    /// Returns these options with another number of slots.
    public DeviceTeamOptions withRingSlots(int other) {
        return new DeviceTeamOptions(timeout, other, barriers, contexts, signals, counters);
    }

    /// Returns these options with another number of barriers.
    public DeviceTeamOptions withBarriers(int other) {
        return new DeviceTeamOptions(timeout, ringSlots, other, contexts, signals, counters);
    }

    /// Returns these options with another number of contexts.
    public DeviceTeamOptions withContexts(int other) {
        return new DeviceTeamOptions(timeout, ringSlots, barriers, other, signals, counters);
    }

    /// Returns these options with another number of signals.
    public DeviceTeamOptions withSignals(int other) {
        return new DeviceTeamOptions(timeout, ringSlots, barriers, contexts, other, counters);
    }

    /// Returns these options with another number of counters.
    public DeviceTeamOptions withCounters(int other) {
        return new DeviceTeamOptions(timeout, ringSlots, barriers, contexts, signals, other);
    }

    private static void check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "DeviceTeamOptions: " + name + " is " + value + ", outside [" + min + ", " + max + "]");
        }
    }
}
