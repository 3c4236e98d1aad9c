// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import java.util.HashMap;
import java.util.Map;

/// The perturbations of a run, its differences from the model: messages that arrive later, PEs that pause.
///
/// Each perturbation depends on the seed and on its subject, such as message 17 of PE 3, and not on earlier
/// events. So one can be left out, and the others keep their meaning.
///
/// ```
///  m3.17:25000      message 17 of PE 3 arrives 25000 ns later
///  p3.40:1000       PE 3 pauses for 1000 ns at its operation 40
/// ```
public final class Perturbation {
    /// With more perturbations than this, [#schedule] returns "".
    private static final int MAX_RECORDED = 20_000;

    private static final char MESSAGE = 'm';
    private static final char PAUSE = 'p';

    /// Of 16 messages, the number that arrive late by up to 4 units, and the number that arrive late by up to 40.
    /// One more is late by up to 400 units, which is after all other messages of its time.
    private static final int LATE = 5;

    private static final int VERY_LATE = 2;

    private final long seed;
    private final long unit;
    private final boolean replays;
    private final Map<String, Long> script = new HashMap<>();
    private final StringBuilder recorded = new StringBuilder();
    private int count;

    private Perturbation(long seed, long unit, boolean replays) {
        this.seed = seed;
        this.unit = unit;
        this.replays = replays;
    }

    /// Returns perturbations that are drawn from a seed; seed 0 has none.
    ///
    /// @param unit nanoseconds of a perturbation's unit: the usual latency
    public static Perturbation of(long seed, long unit) {
        return new Perturbation(seed, unit, false);
    }

    /// Returns the perturbations of a schedule.
    ///
    /// @param schedule as [#schedule] returns it
    /// @throws IllegalArgumentException if it is not valid
    public static Perturbation replay(String schedule) {
        Perturbation replay = new Perturbation(0, 0, true);
        for (String token : schedule.isEmpty() ? new String[0] : schedule.split("\\+", -1)) {
            int colon = token.indexOf(':');
            if (!token.matches("[mp]\\d{1,9}\\.\\d{1,18}:\\d{1,18}")) {
                throw new IllegalArgumentException("schedule: \"" + token + "\" is not like m3.17:25000 or p3.40:1000");
            }
            replay.script.put(token.substring(0, colon), Long.parseLong(token.substring(colon + 1)));
        }
        return replay;
    }

    /// Returns the perturbations so far, or "" if there are none, or more than fit. Thread-safe: if a JVM ends
    /// during a run, one of its own threads calls this.
    public synchronized String schedule() {
        return count > MAX_RECORDED ? "" : recorded.toString();
    }

    /// Returns by how many nanoseconds a PE's message is late.
    long late(int pe, long number) {
        if (replays) {
            return scripted(MESSAGE, pe, number);
        }
        if (seed == 0) {
            return 0;
        }
        long bits = mix(pe, 2 * number);
        int kind = (int) (bits & 15);
        long max = kind < LATE ? 4 : kind < LATE + VERY_LATE ? 40 : kind == LATE + VERY_LATE ? 400 : 0;
        return max == 0 ? 0 : record(MESSAGE, pe, number, (bits >>> 4) % (max * unit) + 1);
    }

    /// Returns for how many nanoseconds a PE pauses before an operation.
    long pause(int pe, long number) {
        if (replays) {
            return scripted(PAUSE, pe, number);
        }
        if (seed == 0) {
            return 0;
        }
        long bits = mix(pe, 2 * number + 1);
        return (bits & 31) != 0 ? 0 : record(PAUSE, pe, number, (bits >>> 5) % (20 * unit) + 1);
    }

    private long scripted(char what, int pe, long number) {
        if (script.isEmpty()) {
            return 0;
        }
        Long nanos = script.get(what + Integer.toString(pe) + '.' + number);
        return nanos == null ? 0 : record(what, pe, number, nanos);
    }

    private synchronized long record(char what, int pe, long number, long nanos) {
        if (count++ < MAX_RECORDED) {
            recorded.append(recorded.isEmpty() ? "" : "+")
                    .append(what)
                    .append(pe)
                    .append('.');
            recorded.append(number).append(':').append(nanos);
        }
        return nanos;
    }

    /// Returns pseudorandom bits that depend on seed, PE and number: the finaliser of SplitMix64.
    private long mix(int pe, long number) {
        long z = seed * 0x9E3779B97F4A7C15L + pe * 0xD1B54A32D192ED03L + number * 0x8CB92BA72F3D8DD7L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (z ^ (z >>> 31)) >>> 1;
    }
}
