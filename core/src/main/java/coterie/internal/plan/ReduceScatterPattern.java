// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// One level of a recursive reduce-scatter. It distributes members over *hands* in turn, as one deals cards, and
/// the shares of a vector with them: a hand reduces as many shares as it has members. The levels around a member
/// lead from all members to this one only; k hands at a time, in ⌈log_k size⌉ levels, for any size.
///
/// ```
///  k = 2, 5 members:   hand   0   1
///                      row 0  0   1     0 takes over shares 0 … 2, 1 takes over shares 3 … 4, of what 0 and 1
///                      have row 1  2   3     2 takes over shares 0 … 2, 3 takes over shares 3 … 4, of what 2 and
///                      3 have row 2  4         4 keeps its shares 0 … 2, 3 takes over shares 3 … 4 of what 4 has
/// ```
///
/// In each hand the members then have reductions of consecutive members, in order.
///
/// @param first the first member
/// @param stride from one member to the next
/// @param count members, at least 2
/// @param hands number of hands, at most `count`
/// @param share the first share
record ReduceScatterPattern(int first, int stride, int count, int hands, int share) {

    /// Returns the levels around a member, that of all members first.
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

    /// Returns the share that a member has after the last level.
    ///
    /// @param size at least 2
    static int shareOf(int member, int size, int radix) {
        ReduceScatterPattern last = around(member, size, radix).getLast();
        return last.share(last.hand(member));
    }

    int hand(int member) {
        return (member - first) / stride % hands;
    }

    /// Returns all hands but one.
    int[] others(int hand) {
        return IntStream.range(0, hands).filter(each -> each != hand).toArray();
    }

    /// Returns the first share of a hand.
    int share(int hand) {
        return share + hand * (count / hands) + Math.min(hand, count % hands);
    }

    /// Returns the number of shares of a hand, which is also its number of members.
    int shares(int hand) {
        return count / hands + (hand < count % hands ? 1 : 0);
    }

    /// Returns the member of a hand that takes over the hand's shares from a member: the one in that member's row,
    /// or in the row before if the last row is too short.
    int taker(int hand, int giver) {
        int index = (giver - first) / stride / hands * hands + hand;
        return first + (index < count ? index : index - hands) * stride;
    }

    /// Returns the members from which a member takes over, in ascending order.
    List<Integer> givers(int taker) {
        int hand = hand(taker);
        int row = (taker - first) / stride / hands * hands;
        return IntStream.range(row, Math.min(row + 2 * hands, count))
                .map(index -> first + index * stride)
                .filter(giver -> giver != taker && taker(hand, giver) == taker)
                .boxed()
                .toList();
    }

    /// Returns the member that collects the shares of all hands: the wanted member if this level has it, else the
    /// first.
    int collector(int wanted) {
        return wanted % stride == first ? wanted : first;
    }

    /// Returns the member that collects the shares of a hand.
    int collector(int hand, int wanted) {
        int its = first + hand * stride;
        return wanted % (stride * hands) == its ? wanted : its;
    }
}
