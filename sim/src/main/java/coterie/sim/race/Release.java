// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a PE acquires when it observes a word: the knowledge of the word's last writer and, if that writer changed
/// the word atomically, the knowledge of the earlier writers. Immutable.
final class Release {
    /// A PE that observes the word knows that the operations of `history` up to `number` have taken effect: a
    /// fence precedes the word.
    private record Fenced(PeerHistory history, long number) {}

    /// The list of carried writes is pruned when it is longer than twice its length after the last pruning, plus
    /// this.
    private static final int CARRIED = 64;

    private final VectorClock seen;
    private final List<Fenced> fenced;
    private final @Nullable Carried carried;
    private final int count;
    private final int limit;

    private Release(VectorClock seen, List<Fenced> fenced, @Nullable Carried carried, int count, int limit) {
        this.seen = seen;
        this.fenced = fenced;
        this.carried = carried;
        this.count = count;
        this.limit = limit;
    }

    /// Returns the release of a write.
    ///
    /// @param before the word's release before this write, if the write continues it
    static Release of(WriteAccess write, @Nullable Release before) {
        VectorClock seen = before == null ? write.clock : write.clock.join(before.seen);
        List<Fenced> fenced = before == null ? List.of() : before.fenced;
        ChannelPosition position = write.position;
        if (position != null && position.fencedUpTo() > 0) {
            fenced = with(fenced, position.history(), position.fencedUpTo());
        }
        Carried carried = before == null ? null : before.carried;
        int count = before == null ? 0 : before.count;
        int limit = before == null ? CARRIED : before.limit;
        if (write.kind != AccessKind.PUT) {
            carried = new Carried(write, carried);
            count++;
        }
        if (write.payload != null) {
            carried = new Carried(write.payload, carried);
            count++;
        }
        if (count > limit) {
            carried = Carried.live(carried);
            count = Carried.length(carried);
            limit = 2 * count + CARRIED;
        }
        return new Release(seen, fenced, carried, count, limit);
    }

    private static List<Fenced> with(List<Fenced> fenced, PeerHistory history, long number) {
        List<Fenced> all = new ArrayList<>(fenced.size() + 1);
        long max = number;
        for (Fenced each : fenced) {
            if (each.history == history) {
                max = Math.max(max, each.number);
            } else {
                all.add(each);
            }
        }
        all.add(new Fenced(history, max));
        return List.copyOf(all);
    }

    /// Returns what the writers knew.
    VectorClock seen() {
        return seen;
    }

    /// A PE observes the word at time `at` of its clock.
    void seenBy(int pe, long at) {
        for (Fenced each : fenced) {
            each.history.known(each.number, pe, at);
        }
        for (Carried each = carried; each != null && each.isNewTo(pe); each = each.rest) {
            each.knownTo(pe, at);
        }
    }

    /// The writes of the word, and the payloads of its signals, latest first. The references are weak: a write
    /// that no cell has any more can't race, and a program may add to a word without ever setting it.
    private static final class Carried {
        private final WeakReference<WriteAccess> write;
        private final BitSet known;
        final @Nullable Carried rest;

        Carried(WriteAccess write, @Nullable Carried rest) {
            this(new WeakReference<>(write), new BitSet(), rest);
        }

        private Carried(WeakReference<WriteAccess> write, BitSet known, @Nullable Carried rest) {
            this.write = write;
            this.known = known;
            this.rest = rest;
        }

        /// Returns whether the PE has not observed this write yet. A PE that has observed it has observed all
        /// earlier ones.
        boolean isNewTo(int pe) {
            return !known.get(pe);
        }

        void knownTo(int pe, long at) {
            known.set(pe);
            WriteAccess live = write.get();
            if (live != null) {
                live.knownTo(pe, at);
            }
        }

        static @Nullable Carried live(@Nullable Carried all) {
            List<Carried> live = new ArrayList<>();
            for (Carried each = all; each != null; each = each.rest) {
                if (each.write.get() != null) {
                    live.add(each);
                }
            }
            Carried left = null;
            for (Carried each : live.reversed()) {
                left = new Carried(each.write, each.known, left);
            }
            return left;
        }

        static int length(@Nullable Carried chain) {
            int length = 0;
            for (Carried each = chain; each != null; each = each.rest) {
                length++;
            }
            return length;
        }
    }
}
