// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.Team;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/// The collectives over memory that [Collectives] does not have: for a root alone, or with blocks of any lengths at
/// any places. Blocks of listed lengths lie in the reverse order of the members, with gaps.
enum PlacedCollectives {
    REDUCE,
    REDUCE_SCATTER_V,
    GATHER,
    GATHER_V,
    SCATTER,
    SCATTER_V,
    ALL_TO_ALL_V;

    /// Elements of a block where all have one length.
    static final int COUNT = 3;

    /// From the start of a block to that of the next one in a list.
    private static final int ROOM = 4;

    /// What a member's source has at an index, before the call.
    @FunctionalInterface
    interface Content {
        /// Returns the element.
        long at(int member, long index);
    }

    /// Elements of the block from a member to another one, 0 to 3.
    static int length(int from, int to) {
        return (from + 3 * to + 1) % ROOM;
    }

    private static long[] counts(Team team, LongUnaryOperator lengths) {
        long[] counts = new long[team.size()];
        Arrays.setAll(counts, lengths::applyAsLong);
        return counts;
    }

    private static long[] places(Team team, long begin) {
        long[] places = new long[team.size()];
        Arrays.setAll(places, member -> begin + (long) ROOM * (places.length - 1 - member));
        return places;
    }

    boolean hasRoot() {
        return this != REDUCE_SCATTER_V && this != ALL_TO_ALL_V;
    }

    /// Calls it.
    ///
    /// @param half where the targets begin; the sources begin at 0
    void call(Team team, IntegerView view, long half, int root) {
        int me = team.member();
        boolean isRoot = me == root;
        long[] none = {};
        switch (this) {
            case REDUCE -> team.reduce(Reduction.SUM, view, half, view, 0, COUNT, root);
            case REDUCE_SCATTER_V ->
                team.reduceScatterV(
                        Reduction.SUM, view, half, view, counts(team, to -> length(0, (int) to)), places(team, 0));
            case GATHER -> team.gather(view, half, view, 0, COUNT, root);
            case GATHER_V ->
                team.gatherV(
                        view,
                        isRoot ? counts(team, from -> length((int) from, 0)) : none,
                        isRoot ? places(team, half) : none,
                        view,
                        0,
                        length(me, 0),
                        root);
            case SCATTER -> team.scatter(view, half, view, 0, COUNT, root);
            case SCATTER_V ->
                team.scatterV(
                        view,
                        half,
                        length(0, me),
                        view,
                        isRoot ? counts(team, to -> length(0, (int) to)) : none,
                        isRoot ? places(team, 0) : none,
                        root);
            case ALL_TO_ALL_V ->
                team.allToAllV(
                        view,
                        counts(team, from -> length((int) from, me)),
                        places(team, half),
                        view,
                        counts(team, to -> length(me, (int) to)),
                        places(team, 0));
        }
    }

    /// Sets what the call changes in the caller's memory.
    ///
    /// @param memory of the caller, before
    void apply(long[] memory, Content content, int size, int me, int half, int root) {
        boolean isRoot = me == root;
        for (int member = 0; member < size; member++) {
            int listed = ROOM * (size - 1 - member);
            int mine = ROOM * (size - 1 - me);
            for (int i = 0; i < ROOM; i++) {
                switch (this) {
                    case REDUCE -> add(memory, isRoot && i < COUNT, half + i, member, content.at(member, i));
                    case REDUCE_SCATTER_V ->
                        add(memory, i < length(0, me), half + i, member, content.at(member, mine + i));
                    case GATHER -> set(memory, isRoot && i < COUNT, half + member * COUNT + i, content.at(member, i));
                    case GATHER_V ->
                        set(memory, isRoot && i < length(member, 0), half + listed + i, content.at(member, i));
                    case SCATTER -> set(memory, i < COUNT, half + i, content.at(root, me * COUNT + i));
                    case SCATTER_V -> set(memory, i < length(0, me), half + i, content.at(root, mine + i));
                    case ALL_TO_ALL_V ->
                        set(memory, i < length(member, me), half + listed + i, content.at(member, mine + i));
                }
            }
        }
    }

    private static void set(long[] memory, boolean isMeant, int index, long value) {
        if (isMeant) {
            memory[index] = value;
        }
    }

    /// The first member's value, or the sum of those before and this one.
    private static void add(long[] memory, boolean isMeant, int index, int member, long value) {
        if (isMeant) {
            memory[index] = member == 0 ? value : memory[index] + value;
        }
    }
}
