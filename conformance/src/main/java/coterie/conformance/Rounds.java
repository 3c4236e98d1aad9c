// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import java.util.Set;

/// How often a case repeats what it does.
final class Rounds {
    /// In a simulated network every seed repeats the whole case, and what takes a nanosecond elsewhere a
    /// microsecond.
    private static final int SIMULATED = 20;

    /// Over a network, an operation takes a thousand times as long as in mapped memory: what the soak tier has more
    /// of rounds is divided by this.
    private static final int NETWORKED = 200;

    private Rounds() {}

    /// Whether the calling PE's main thread plays in a simulated network, where it is a virtual one.
    static boolean simulated() {
        return Thread.currentThread().isVirtual();
    }

    /// A part of it in a simulated network, at least two.
    static int of(int rounds) {
        return of(rounds, rounds);
    }

    /// Two, one in a simulated network, and more in the soak tier.
    static int few(int soak) {
        return simulated() && !Boolean.getBoolean("coterie.soak") ? 1 : of(2, soak);
    }

    /// As [#of(int)], and more in the soak tier.
    static int of(int rounds, int soak) {
        if (simulated()) {
            return Math.max(2, rounds / SIMULATED);
        }
        if (!Boolean.getBoolean("coterie.soak")) {
            return rounds;
        }
        boolean isNetworked = Set.of("ucx", "tcp").contains(System.getProperty("coterie.conduit", ""));
        return isNetworked ? Math.max(rounds, soak / NETWORKED) : soak;
    }
}
