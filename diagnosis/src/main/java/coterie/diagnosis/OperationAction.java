// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.Comparison;
import java.util.List;

/// What an operation needs before it is over, and what it does for others.
public sealed interface OperationAction {
    /// Needs nothing.
    record Local() implements OperationAction {}

    /// Changes a word of a PE.
    ///
    /// @param isAdd whether it adds the value; otherwise it stores it
    /// @param width bytes of the word: 1, 2, 4 or 8
    record Update(Word word, boolean isAdd, long value, int width) implements OperationAction {
        /// Changes a word of 8 bytes.
        public Update(Word word, boolean isAdd, long value) {
            this(word, isAdd, value, Long.BYTES);
        }

        boolean overlaps(Condition condition) {
            return overlap(word, width, condition);
        }
    }

    /// Writes bytes of a PE, which are not known before.
    ///
    /// @param offset in bytes, in the PE's heap
    /// @param length in bytes
    record Put(int pe, long offset, long length) implements OperationAction {
        boolean covers(Condition condition) {
            return overlap(new Word(pe, offset), length, condition);
        }
    }

    private static boolean overlap(Word word, long length, Condition condition) {
        Word awaited = condition.word();
        return awaited.pe() == word.pe()
                && awaited.offset() - word.offset() < length
                && word.offset() - awaited.offset() < condition.width();
    }

    /// Waits until so many conditions hold, each at some moment.
    ///
    /// @param needed in `[1, conditions.size()]`
    /// @param senders the PEs that the program says will send; empty if it does not say
    /// @param name what the word of the first condition is, in the words of a face or of the program; empty if not
    /// known
    record Await(List<Condition> conditions, int needed, List<Integer> senders, String name)
            implements OperationAction {
        public Await {
            conditions = List.copyOf(conditions);
            senders = List.copyOf(senders);
        }

        /// Waits for one condition.
        public Await(Condition condition) {
            this(List.of(condition), 1, List.of());
        }

        /// Waits for words without a name.
        public Await(List<Condition> conditions, int needed, List<Integer> senders) {
            this(conditions, needed, senders, "");
        }
    }

    /// A comparison of a word with an operand.
    ///
    /// @param isUnsigned whether the numbers have no sign
    /// @param width bytes of the word: 1, 2, 4 or 8
    /// @param place which word of which allocation it is, for people; empty if not known
    record Condition(Word word, Comparison comparison, long operand, boolean isUnsigned, int width, String place) {
        /// Compares a word of an unknown allocation.
        public Condition(Word word, Comparison comparison, long operand, boolean isUnsigned, int width) {
            this(word, comparison, operand, isUnsigned, width, "");
        }

        /// Compares a word of 8 bytes.
        public Condition(Word word, Comparison comparison, long operand, boolean isUnsigned) {
            this(word, comparison, operand, isUnsigned, Long.BYTES);
        }

        /// Returns what the word is, and whose.
        String where() {
            return place.isEmpty() ? word.toString() : place + " on PE " + word.pe();
        }

        boolean holds(long value) {
            long flip = isUnsigned ? Long.MIN_VALUE : 0;
            return comparison.holds(value ^ flip, operand ^ flip);
        }
    }

    /// Waits until all members have come to a collective of a team.
    ///
    /// @param members numbers of the world
    /// @param sequence the number of the collective in its team
    /// @param signature what all members must have in common
    record Meet(String team, List<Integer> members, long sequence, String signature) implements OperationAction {
        public Meet {
            members = List.copyOf(members);
        }

        /// Returns whether a collective that a thread has called is of this team, as far as its name says.
        boolean isOfTeam(Help help) {
            return !help.team().isEmpty() && (team.equals(help.team()) || team.equals(help.team() + " " + members));
        }

        /// Returns whether it may write symmetric memory of its members.
        boolean hasData() {
            return !signature.equals("barrier") && !signature.equals("sync");
        }
    }

    /// Waits until operations of other lanes of the PE are over.
    record After(List<Point> points) implements OperationAction {
        public After {
            points = List.copyOf(points);
        }
    }

    /// Waits until code of one of these PEs acts, in a way that is not known more exactly.
    ///
    /// @param team the name of the team whose collective a thread has called; empty for another wait
    /// @param isCall whether what is awaited is a call that the code has not made yet
    record Help(List<Integer> pes, String team, boolean isCall) implements OperationAction {
        public Help {
            pes = List.copyOf(pes);
        }

        /// Waits for whatever the PEs may do.
        public Help(List<Integer> pes, String team) {
            this(pes, team, false);
        }

        /// Waits for no collective.
        public Help(List<Integer> pes) {
            this(pes, "");
        }
    }

    /// Runs code of the program, which can do anything once the operation has its turn.
    ///
    /// @param isPolling whether the code asks again and again whether something has happened
    record Run(boolean isPolling) implements OperationAction {}

    /// Runs a kernel of which all threads that have started wait, if any have: it needs code of its PE. Blocks that
    /// have not started can do anything once there is room for one of them.
    ///
    /// @param blockThreads threads of the device that the next block needs; 0 if all blocks have started
    /// @param heldThreads threads of the device that its blocks hold
    record Kernel(int blockThreads, int heldThreads) implements OperationAction {}

    /// A place in a lane of the same PE.
    ///
    /// @param lane its index in [PeSnapshot#lanes]
    /// @param position the number of operations before the place
    record Point(int lane, long position) {}
}
