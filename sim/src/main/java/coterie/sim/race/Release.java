// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What whoever observes a word learns: from its last writer, and, where that has changed the word indivisibly,
/// from those before it. Immutable.
final class Release {
    /// A fence that is behind whoever observes the word: operations of a lane up to a number.
    private record Behind(PeerHistory history, long number) {}

    /// The list of what is carried is looked through when it has grown to twice what it was then, and this.
    private static final int CARRIED = 64;

    private final VectorClock seen;
    private final List<Behind> behind;
    private final @Nullable Carried carried;
    private final int count;
    private final int limit;

    private Release(VectorClock seen, List<Behind> behind, @Nullable Carried carried, int count, int limit) {
        this.seen = seen;
        this.behind = behind;
        this.carried = carried;
        this.count = count;
        this.limit = limit;
    }

    /// @param before what has been there, if the write continues that
    static Release of(WriteAccess write, @Nullable Release before) {
        VectorClock seen = before == null ? write.clock : write.clock.join(before.seen);
        List<Behind> behind = before == null ? List.of() : before.behind;
        ChannelPosition position = write.position;
        if (position != null && position.behind() > 0) {
            behind = with(behind, position.history(), position.behind());
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
            carried = Carried.living(carried);
            count = Carried.length(carried);
            limit = 2 * count + CARRIED;
        }
        return new Release(seen, behind, carried, count, limit);
    }

    private static List<Behind> with(List<Behind> behind, PeerHistory history, long number) {
        List<Behind> all = new ArrayList<>(behind.size() + 1);
        long most = number;
        for (Behind each : behind) {
            if (each.history == history) {
                most = Math.max(most, each.number);
            } else {
                all.add(each);
            }
        }
        all.add(new Behind(history, most));
        return List.copyOf(all);
    }

    /// What its writers knew.
    VectorClock seen() {
        return seen;
    }

    /// A PE has observed the word when its clock shows `at`.
    void seenBy(int pe, long at) {
        for (Behind each : behind) {
            each.history.known(each.number, pe, at);
        }
        for (Carried each = carried; each != null && each.isNewTo(pe); each = each.rest) {
            each.knownTo(pe, at);
        }
    }

    /// The words themselves and the bytes that have come with them, latest first. Held weakly: who is in no cell
    /// any more is of no interest, and a word may be added to for ever without being set.
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

        /// Whether a PE has not observed this yet; if it has, so it has all that came earlier.
        boolean isNewTo(int pe) {
            return !known.get(pe);
        }

        void knownTo(int pe, long at) {
            known.set(pe);
            WriteAccess living = write.get();
            if (living != null) {
                living.knownTo(pe, at);
            }
        }

        static @Nullable Carried living(@Nullable Carried all) {
            List<Carried> living = new ArrayList<>();
            for (Carried each = all; each != null; each = each.rest) {
                if (each.write.get() != null) {
                    living.add(each);
                }
            }
            Carried left = null;
            for (Carried each : living.reversed()) {
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
