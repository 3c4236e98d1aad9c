// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.sync.TeamMap;
import coterie.internal.wait.OperationKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Assigns members to new teams. A split makes teams on one axis or two; on each axis a member is in one of them
/// or in none.
sealed interface SplitRule {

    OperationKind kind();

    /// Whether my arguments are in range.
    default boolean isValid() {
        return true;
    }

    /// What arguments are allowed, for people; the same on all members.
    default String allowed() {
        return "any";
    }

    /// What I ask for, in up to three words.
    long argument(int argument);

    /// How many arguments, from the first, must be equal on all members.
    default int agreedArguments() {
        return 0;
    }

    /// How many members my new team will have at most, 0 if I am in none; known before the round.
    int maxMembers(int axis);

    /// Which of the new teams on an axis a member is in, or a negative number for none.
    ///
    /// @param first what the member gave as its first argument
    long group(int axis, int member, long first);

    /// The members of my new team, by their numbers in the parent.
    TeamMap members(int axis, Arguments heard);

    /// What a new team adds to its parent's name.
    String name(int axis);

    /// What a member asks for, for people.
    String text(int member, Arguments heard);

    /// What the members have asked for.
    @FunctionalInterface
    interface Arguments {
        long of(int member, int argument);
    }

    /// Every `stride`-th member from `start` on, `size` of them.
    record Strided(int parentSize, int me, int start, int stride, int size) implements SplitRule {
        @Override
        public OperationKind kind() {
            return OperationKind.SPLIT_STRIDED;
        }

        @Override
        public boolean isValid() {
            long last = start + (size - 1L) * stride;
            return start >= 0
                    && start < parentSize
                    && (size == 1 || (size > 1 && stride != 0 && last >= 0 && last < parentSize));
        }

        @Override
        public String allowed() {
            return "sizes of 1 and more whose members differ and lie in [0, " + parentSize + ")";
        }

        @Override
        public long argument(int argument) {
            return switch (argument) {
                case 0 -> start;
                case 1 -> size == 1 ? 1 : stride;
                default -> size;
            };
        }

        @Override
        public int agreedArguments() {
            return 3;
        }

        @Override
        public int maxMembers(int axis) {
            return group(axis, me, 0) < 0 ? 0 : size;
        }

        @Override
        public long group(int axis, int member, long first) {
            return map().member(member) < 0 ? -1 : 0;
        }

        @Override
        public TeamMap members(int axis, Arguments heard) {
            return map();
        }

        private TeamMap map() {
            return TeamMap.strided(start, stride, size);
        }

        @Override
        public String name(int axis) {
            return "strided(" + start + "," + stride + "," + size + ")";
        }

        @Override
        public String text(int member, Arguments heard) {
            return "start " + heard.of(member, 0) + ", stride " + heard.of(member, 1) + ", size " + heard.of(member, 2);
        }
    }

    /// Rows and columns.
    record Grid(int parentSize, int me, int xSize) implements SplitRule {
        @Override
        public OperationKind kind() {
            return OperationKind.SPLIT_2D;
        }

        @Override
        public boolean isValid() {
            return xSize >= 1;
        }

        @Override
        public String allowed() {
            return "1 and more";
        }

        @Override
        public long argument(int argument) {
            return argument == 0 ? xSize : 0;
        }

        @Override
        public int agreedArguments() {
            return 1;
        }

        @Override
        public int maxMembers(int axis) {
            return map(axis).size();
        }

        @Override
        public long group(int axis, int member, long first) {
            return axis == 0 ? member / width() : member % width();
        }

        @Override
        public TeamMap members(int axis, Arguments heard) {
            return map(axis);
        }

        private int width() {
            return Math.min(xSize, parentSize);
        }

        private TeamMap map(int axis) {
            int width = width();
            int x = me % width;
            int y = me / width;
            return axis == 0
                    ? TeamMap.strided(y * width, 1, Math.min(width, parentSize - y * width))
                    : TeamMap.strided(x, width, (parentSize - x + width - 1) / width);
        }

        @Override
        public String name(int axis) {
            return axis == 0 ? "x" + me / width() : "y" + me % width();
        }

        @Override
        public String text(int member, Arguments heard) {
            return "rows of " + heard.of(member, 0);
        }
    }

    /// All of one color, ordered by key.
    record ByColor(int parentSize, int me, int color, int key) implements SplitRule {
        @Override
        public OperationKind kind() {
            return OperationKind.SPLIT_BY_COLOR;
        }

        @Override
        public long argument(int argument) {
            return argument == 0 ? color : argument == 1 ? key : 0;
        }

        @Override
        public int maxMembers(int axis) {
            return color < 0 ? 0 : parentSize;
        }

        @Override
        public long group(int axis, int member, long first) {
            return first;
        }

        @Override
        public TeamMap members(int axis, Arguments heard) {
            List<Integer> members = new ArrayList<>();
            for (int member = 0; member < parentSize; member++) {
                if (heard.of(member, 0) == color) {
                    members.add(member);
                }
            }
            members.sort(Comparator.comparingLong(member -> heard.of(member, 1)));
            return TeamMap.listed(members.stream().mapToInt(Integer::intValue).toArray());
        }

        @Override
        public String name(int axis) {
            return "color" + color;
        }

        @Override
        public String text(int member, Arguments heard) {
            return "color " + heard.of(member, 0) + ", key " + heard.of(member, 1);
        }
    }

    /// All members again.
    ///
    /// @param word what the name begins with
    /// @param number of the duplicate among those of the parent with that name, from 1 on
    record Duplicate(int parentSize, String word, int number) implements SplitRule {
        @Override
        public OperationKind kind() {
            return OperationKind.DUPLICATE;
        }

        @Override
        public long argument(int argument) {
            return 0;
        }

        @Override
        public int maxMembers(int axis) {
            return parentSize;
        }

        @Override
        public long group(int axis, int member, long first) {
            return 0;
        }

        @Override
        public TeamMap members(int axis, Arguments heard) {
            return TeamMap.full(parentSize);
        }

        @Override
        public String name(int axis) {
            return number == 1 ? word : word + number;
        }

        @Override
        public String text(int member, Arguments heard) {
            return "a copy";
        }
    }
}
