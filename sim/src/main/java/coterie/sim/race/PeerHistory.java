// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a PE has put to one peer through one channel, and which PEs know from when on how much of it has taken
/// effect.
///
/// The operations of a channel have one sequence of numbers for all peers.
final class PeerHistory {
    /// Returns how much of a PE's past all PEs know.
    interface Horizon {
        long known(int pe);
    }

    final int target;
    private final Horizon horizon;
    private final List<Log> logs = new ArrayList<>();

    /// Number of the latest operation that writes to the heap.
    private long latestWrite;

    PeerHistory(int target, Horizon horizon) {
        this.target = target;
        this.horizon = horizon;
    }

    void wrote(long number) {
        latestWrite = Math.max(latestWrite, number);
    }

    /// From time `at` of its clock on, the PE knows that all operations up to a number have taken effect.
    void known(long upTo, int pe, long at) {
        if (latestWrite > 0 && upTo > 0) {
            log(pe).add(Math.min(upTo, latestWrite), at, horizon);
        }
    }

    private Log log(int pe) {
        for (Log log : logs) {
            if (log.pe == pe) {
                return log;
            }
        }
        Log log = new Log(pe);
        logs.add(log);
        return log;
    }

    /// Returns whether a PE with this vector clock knows that the operation has taken effect.
    boolean isKnown(long number, VectorClock clock) {
        for (Log log : logs) {
            if (log.isKnown(number, clock)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the number of entries of the longest log.
    int longest() {
        int longest = 0;
        for (Log log : logs) {
            longest = Math.max(longest, log.entries);
        }
        return longest;
    }

    /// How much one PE knows from which time on; both columns ascend.
    private static final class Log {
        final int pe;
        private long[] numbers = new long[4];
        private long[] clocks = new long[4];
        int entries;

        Log(int pe) {
            this.pe = pe;
        }

        void add(long upTo, long at, Horizon horizon) {
            if (entries > 0 && numbers[entries - 1] >= upTo) {
                return;
            }
            if (entries == numbers.length) {
                forget(horizon.known(pe));
                if (2 * entries > numbers.length) {
                    numbers = Arrays.copyOf(numbers, 2 * numbers.length);
                    clocks = Arrays.copyOf(clocks, 2 * clocks.length);
                }
            }
            numbers[entries] = upTo;
            clocks[entries++] = at;
        }

        boolean isKnown(long number, VectorClock clock) {
            int found = Arrays.binarySearch(numbers, 0, entries, number);
            int first = found >= 0 ? found : -found - 1;
            return first < entries && clock.reaches(pe, clocks[first]);
        }

        /// Removes the entries that all PEs know, except the last of them, which implies the others.
        private void forget(long known) {
            int keep = 0;
            while (keep + 1 < entries && clocks[keep + 1] <= known) {
                keep++;
            }
            System.arraycopy(numbers, keep, numbers, 0, entries - keep);
            System.arraycopy(clocks, keep, clocks, 0, entries - keep);
            entries -= keep;
        }
    }
}
