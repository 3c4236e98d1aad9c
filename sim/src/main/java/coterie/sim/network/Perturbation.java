// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import java.util.HashMap;
import java.util.Map;

/// By how much a performance departs from what the model alone would give: messages that come later, PEs that
/// pause.
///
/// Each departure hangs on what it concerns, message 17 of PE 3, and on the seed; not on what has happened before.
/// So one can be left out, and the others still mean the same.
///
/// ```
///  m3.17:25000      message 17 of PE 3 comes 25000 ns later
///  p3.40:1000       PE 3 pauses for 1000 ns at its operation 40
/// ```
public final class Perturbation {
    /// Beyond as many a story has the seed alone.
    private static final int MOST_TOLD = 20_000;

    private static final char MESSAGE = 'm';
    private static final char PAUSE = 'p';

    /// Of 16 messages, how many come late: somewhat, by far, and so late that all else has long been done.
    private static final int LATE = 5;

    private static final int VERY_LATE = 2;

    private final long seed;
    private final long unit;
    private final boolean replays;
    private final Map<String, Long> script = new HashMap<>();
    private final StringBuilder told = new StringBuilder();
    private int count;

    private Perturbation(long seed, long unit, boolean replays) {
        this.seed = seed;
        this.unit = unit;
        this.replays = replays;
    }

    /// Departures that are drawn from a seed; none from seed 0.
    ///
    /// @param unit nanoseconds that are worth a departure: the usual latency
    public static Perturbation of(long seed, long unit) {
        return new Perturbation(seed, unit, false);
    }

    /// Departures as told by [#schedule].
    ///
    /// @throws IllegalArgumentException if that can't be read
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

    /// The departures so far, or "" if there are none, or too many to tell. Any thread may ask: when a JVM ends in the
    /// middle of a performance, one of its own does.
    public synchronized String schedule() {
        return count > MOST_TOLD ? "" : told.toString();
    }

    /// By how much a PE's message comes late.
    long late(int pe, long number) {
        if (replays) {
            return scripted(MESSAGE, pe, number);
        }
        if (seed == 0) {
            return 0;
        }
        long bits = mix(pe, 2 * number);
        int kind = (int) (bits & 15);
        long most = kind < LATE ? 4 : kind < LATE + VERY_LATE ? 40 : kind == LATE + VERY_LATE ? 400 : 0;
        return most == 0 ? 0 : record(MESSAGE, pe, number, (bits >>> 4) % (most * unit) + 1);
    }

    /// For how long a PE pauses before an operation.
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
        if (count++ < MOST_TOLD) {
            told.append(told.isEmpty() ? "" : "+").append(what).append(pe).append('.');
            told.append(number).append(':').append(nanos);
        }
        return nanos;
    }

    /// Bits that depend on seed, PE and number, as random as any: the finaliser of SplitMix64.
    private long mix(int pe, long number) {
        long z = seed * 0x9E3779B97F4A7C15L + pe * 0xD1B54A32D192ED03L + number * 0x8CB92BA72F3D8DD7L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (z ^ (z >>> 31)) >>> 1;
    }
}
