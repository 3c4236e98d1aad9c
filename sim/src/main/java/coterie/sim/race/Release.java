// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What whoever observes a word learns: from its last writer, and, where that has changed the word indivisibly,
/// from those before it. Immutable.
final class Release {
    /// A fence that is behind whoever observes the word: operations of a lane up to a number.
    private record Behind(Lane lane, long number) {}

    /// The list of what is carried is looked through when it has grown to twice what it was then, and this.
    private static final int CARRIED = 64;

    private final Past seen;
    private final List<Behind> behind;

    /// The words themselves and the bytes that have come with them. Held weakly: who is in no cell any more is of
    /// no interest, and a word may be added to for ever without being set.
    private final @Nullable Chain<WeakReference<Write>> carried;

    private final int count;
    private final int limit;

    private Release(
            Past seen, List<Behind> behind, @Nullable Chain<WeakReference<Write>> carried, int count, int limit) {
        this.seen = seen;
        this.behind = behind;
        this.carried = carried;
        this.count = count;
        this.limit = limit;
    }

    /// @param before what has been there, if the write continues that
    static Release of(Write write, @Nullable Release before) {
        Past seen = before == null ? write.past : write.past.join(before.seen);
        List<Behind> behind = before == null ? List.of() : before.behind;
        Turn turn = write.turn;
        if (turn != null && turn.behind() > 0) {
            behind = with(behind, turn.lane(), turn.behind());
        }
        Chain<WeakReference<Write>> carried = before == null ? null : before.carried;
        int count = before == null ? 0 : before.count;
        int limit = before == null ? CARRIED : before.limit;
        if (write.deed != Deed.PUT) {
            carried = new Chain<>(new WeakReference<>(write), carried);
            count++;
        }
        if (write.payload != null) {
            carried = new Chain<>(new WeakReference<>(write.payload), carried);
            count++;
        }
        if (count > limit) {
            carried = living(carried);
            count = length(carried);
            limit = 2 * count + CARRIED;
        }
        return new Release(seen, behind, carried, count, limit);
    }

    private static List<Behind> with(List<Behind> behind, Lane lane, long number) {
        List<Behind> all = new ArrayList<>(behind.size() + 1);
        long most = number;
        for (Behind each : behind) {
            if (each.lane == lane) {
                most = Math.max(most, each.number);
            } else {
                all.add(each);
            }
        }
        all.add(new Behind(lane, most));
        return List.copyOf(all);
    }

    private static @Nullable Chain<WeakReference<Write>> living(@Nullable Chain<WeakReference<Write>> all) {
        Chain<WeakReference<Write>> living = null;
        for (Chain<WeakReference<Write>> each = all; each != null; each = each.rest) {
            if (each.first.get() != null) {
                living = new Chain<>(each.first, living);
            }
        }
        return living;
    }

    private static int length(@Nullable Chain<?> chain) {
        int length = 0;
        for (Chain<?> each = chain; each != null; each = each.rest) {
            length++;
        }
        return length;
    }

    /// What its writers knew.
    Past seen() {
        return seen;
    }

    /// A PE has observed the word when its clock shows `at`.
    void seenBy(int pe, long at) {
        for (Behind each : behind) {
            each.lane.known(each.number, pe, at);
        }
        for (Chain<WeakReference<Write>> each = carried; each != null; each = each.rest) {
            Write write = each.first.get();
            if (write != null) {
                write.knownTo(pe, at);
            }
        }
    }
}
