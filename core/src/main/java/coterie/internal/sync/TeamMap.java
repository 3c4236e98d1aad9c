// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import java.util.Arrays;

/// Which PE each member of a team is. The form is the smallest that fits: a team whose members are evenly apart
/// costs the same at 8 and at 100,000 PEs.
///
/// | map | member `i` is |
/// |---|---|
/// | [Strided] | PE `start + i * stride` |
/// | [Listed] | the `i`-th PE of a list |
public sealed interface TeamMap {

    /// How many members, at least 1.
    int size();

    /// The PE of a member.
    ///
    /// @param member in `[0, size())`
    int pe(int member);

    /// The member that a PE is, or −1.
    int member(int pe);

    /// The map of all PEs of a world.
    static TeamMap full(int size) {
        return new Strided(0, 1, size);
    }

    /// The map of PEs that are evenly apart.
    ///
    /// @param stride of no meaning for one member
    static TeamMap strided(int start, int stride, int size) {
        return new Strided(start, size == 1 ? 1 : stride, size);
    }

    /// The map of different PEs in any order.
    static TeamMap listed(int... pes) {
        int stride = pes.length > 1 ? pes[1] - pes[0] : 1;
        for (int member = 2; member < pes.length; member++) {
            if (pes[member] - pes[member - 1] != stride) {
                return new Listed(pes.clone());
            }
        }
        return new Strided(pes[0], stride, pes.length);
    }

    /// The map of a team within this one.
    ///
    /// @param inner its members by their numbers here
    default TeamMap compose(TeamMap inner) {
        int[] pes = new int[inner.size()];
        for (int member = 0; member < pes.length; member++) {
            pes[member] = pe(inner.pe(member));
        }
        return listed(pes);
    }

    /// PEs that are evenly apart; a negative stride counts down.
    record Strided(int start, int stride, int size) implements TeamMap {
        @Override
        public int pe(int member) {
            return start + member * stride;
        }

        @Override
        public int member(int pe) {
            int distance = pe - start;
            int member = distance / stride;
            return member >= 0 && member < size && member * stride == distance ? member : -1;
        }

        @Override
        public TeamMap compose(TeamMap inner) {
            return switch (inner) {
                case Strided strided -> strided(pe(strided.start), stride * strided.stride, strided.size);
                case Listed listed -> TeamMap.super.compose(listed);
            };
        }
    }

    /// Any PEs in any order.
    final class Listed implements TeamMap {
        private final int[] pes;

        /// PEs in ascending order, each in the high half of a word with its member in the low one.
        private final long[] members;

        private Listed(int[] pes) {
            this.pes = pes;
            this.members = new long[pes.length];
            for (int member = 0; member < pes.length; member++) {
                members[member] = (long) pes[member] << 32 | member;
            }
            Arrays.sort(members);
        }

        @Override
        public int size() {
            return pes.length;
        }

        @Override
        public int pe(int member) {
            return pes[member];
        }

        @Override
        public int member(int pe) {
            int found = Arrays.binarySearch(members, (long) pe << 32);
            int place = found < 0 ? -found - 1 : found;
            return place < members.length && members[place] >> 32 == pe ? (int) members[place] : -1;
        }
    }
}
