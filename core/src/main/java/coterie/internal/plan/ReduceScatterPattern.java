// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;

/// Members dealt into hands like cards, and a vector's shares with them, one for each member: a hand is to reduce
/// as many shares as it has members. The deals around a member lead from all members to itself alone; k hands at a
/// time, in ⌈log_k size⌉ levels, for any size.
///
/// ```
///  k = 2, 5 members:   hand   0   1
///                      row 0  0   1     0 takes over shares 0 … 2, 1 takes over shares 3 … 4, of what 0 and 1
///                      have row 1  2   3     the same of what 2 and 3 have;
///                      row 2  4         of what 4 has, 3 takes over the shares of hand 1 too
/// ```
///
/// In each hand the members then have reductions of members that follow each other, in order.
///
/// @param first the first member
/// @param stride from one member to the next
/// @param count members, at least 2
/// @param hands at most as many
/// @param share the first share
record ReduceScatterPattern(int first, int stride, int count, int hands, int share) {

    /// The deals around a member, that of all members first.
    static List<ReduceScatterPattern> around(int member, int size, int radix) {
        List<ReduceScatterPattern> patterns = new ArrayList<>();
        int first = 0;
        int stride = 1;
        int count = size;
        int share = 0;
        while (count > 1) {
            ReduceScatterPattern pattern =
                    new ReduceScatterPattern(first, stride, count, Math.min(radix, count), share);
            patterns.add(pattern);
            int hand = pattern.hand(member);
            first += hand * stride;
            stride *= pattern.hands;
            count = pattern.shares(hand);
            share = pattern.share(hand);
        }
        return patterns;
    }

    /// The share that comes to a member in the end.
    static int shareOf(int member, int size, int radix) {
        List<ReduceScatterPattern> patterns = around(member, size, radix);
        return patterns.isEmpty()
                ? 0
                : patterns.getLast().share(patterns.getLast().hand(member));
    }

    int hand(int member) {
        return (member - first) / stride % hands;
    }

    /// The first share of a hand.
    int share(int hand) {
        return share + hand * (count / hands) + Math.min(hand, count % hands);
    }

    /// The shares, and the members, of a hand.
    int shares(int hand) {
        return count / hands + (hand < count % hands ? 1 : 0);
    }

    /// Who of a hand takes over what a member has of its shares: the one in the member's row, or in the row before
    /// if the last row is too short.
    int taker(int hand, int giver) {
        int index = (giver - first) / stride / hands * hands + hand;
        return first + (index < count ? index : index - hands) * stride;
    }

    /// From whom a member takes over, in ascending order.
    List<Integer> givers(int taker) {
        int hand = hand(taker);
        int row = (taker - first) / stride / hands * hands;
        List<Integer> givers = new ArrayList<>();
        for (int index = row; index < Math.min(row + 2 * hands, count); index++) {
            int giver = first + index * stride;
            if (giver != taker && taker(hand, giver) == taker) {
                givers.add(giver);
            }
        }
        return givers;
    }

    /// Who collects the shares of all hands: a member if it is dealt, else the first.
    int collector(int wanted) {
        return wanted % stride == first ? wanted : first;
    }

    /// Who collects the shares of a hand.
    int collector(int hand, int wanted) {
        int its = first + hand * stride;
        return wanted % (stride * hands) == its ? wanted : its;
    }
}
