// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Point;
import coterie.internal.launch.RecordedPe;
import coterie.internal.launch.RecordedWait;
import coterie.internal.launch.RecordedWord;
import coterie.internal.record.RecordedAllocation;
import coterie.internal.record.RecordedLane;
import coterie.internal.record.TeamText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What the recorded operations of a PE need and do, in the words of a snapshot.
final class RecordedActions {
    /// Words of one wait that are looked at; the others are taken at their best.
    private static final long MOST_WORDS = 64;

    private final int pe;
    private final int pes;
    private final Map<Word, Long> words;
    private final Map<Integer, Integer> places = new HashMap<>();

    /// @param words the values of words that were read
    RecordedActions(RecordedPe pe, int pes, Map<Word, Long> words) {
        this.pe = pe.pe();
        this.pes = pes;
        this.words = words;
        for (int place = 0; place < pe.lanes().size(); place++) {
            places.put(pe.lanes().get(place).number(), place);
        }
    }

    /// Returns the name of a team, with its members unless it is the world.
    static String team(String text) {
        String name = TeamText.name(text);
        return name.equals("world") ? name : name + " " + TeamText.members(text);
    }

    OperationAction of(RecordedLane.Operation operation) {
        return switch (operation.action()) {
            case LOCAL -> new OperationAction.Local();
            case RUN -> new OperationAction.Run(false);
            case POLL -> new OperationAction.Run(true);
            case THREADS -> new OperationAction.Kernel((int) operation.value(), (int) operation.length());
            case ADD, SET ->
                new OperationAction.Update(
                        new Word(operation.pe(), operation.offset()),
                        operation.action() == coterie.spi.OperationRecord.Action.ADD,
                        operation.value(),
                        operation.width());
            case PUT -> new OperationAction.Put(operation.pe(), operation.offset(), operation.length());
            case GET -> new OperationAction.Put(pe, 0, Long.MAX_VALUE);
            case WAIT -> await(operation);
            case COLLECTIVE -> meet(operation);
            case AFTER -> {
                Integer place = places.get(operation.lane());
                yield place == null
                        ? new OperationAction.Local()
                        : new OperationAction.After(List.of(new Point(place, operation.value())));
            }
        };
    }

    /// A word that was not read may have any value.
    private OperationAction await(RecordedLane.Operation operation) {
        RecordedAllocation allocation = RecordedAllocation.parse(operation.signature());
        List<Condition> conditions = new ArrayList<>();
        for (long word = 0; word < Math.min(MOST_WORDS, operation.length()); word++) {
            Word place = new Word(operation.pe(), operation.offset() + word * operation.width());
            if (words.containsKey(place)) {
                conditions.add(new Condition(
                        place,
                        operation.comparison(),
                        operation.value(),
                        operation.isUnsigned(),
                        operation.width(),
                        name(allocation, place, operation.width())));
            }
        }
        return conditions.isEmpty()
                ? new OperationAction.Local()
                : new Await(conditions, conditions.size(), TeamText.members(operation.object()));
    }

    private static String name(@Nullable RecordedAllocation allocation, Word word, int width) {
        return allocation == null ? "" : allocation.word(word.offset(), width);
    }

    private OperationAction meet(RecordedLane.Operation operation) {
        List<Integer> members = TeamText.members(operation.object());
        return members.isEmpty()
                ? new OperationAction.Help(IntStream.range(0, pes).boxed().toList())
                : new OperationAction.Meet(team(operation.object()), members, operation.value(), operation.signature());
    }

    private static List<Integer> writers(long bits) {
        return BitSet.valueOf(new long[] {bits}).stream().boxed().toList();
    }

    /// Returns the PEs of bits, or all others.
    private static List<Integer> helpers(long bits, int pe, int pes) {
        return bits != 0
                ? writers(bits)
                : IntStream.range(0, pes).filter(each -> each != pe).boxed().toList();
    }

    /// Returns what a thread of a PE waits for.
    static OperationAction of(RecordedWait wait, int pe, int pes, Map<Word, Long> words) {
        return switch (wait.kind()) {
            case WORD -> await(wait, words);
            case PE -> new OperationAction.Help(List.of(wait.awaitedPe()), wait.team(), true);
            case PES -> new OperationAction.Help(helpers(wait.helpers(), pe, pes), wait.team());
            case TRANSFER, CONDITION -> new OperationAction.Local();
        };
    }

    /// A word that was not read, and one of a set whose operands are not known, may be as it is awaited.
    private static OperationAction await(RecordedWait wait, Map<Word, Long> words) {
        RecordedWord first = wait.word();
        if (first == null || wait.words() < 1 || wait.words() > MOST_WORDS) {
            return new OperationAction.Local();
        }
        List<Condition> conditions = new ArrayList<>();
        for (long word = 0; word < wait.words(); word++) {
            Word place = new Word(first.pe(), first.offset() + word * first.width());
            if (!words.containsKey(place)) {
                return new OperationAction.Local();
            }
            conditions.add(new Condition(
                    place,
                    wait.comparison(),
                    wait.operand(),
                    first.isUnsigned(),
                    first.width(),
                    name(wait.allocation(), place, first.width())));
        }
        return new Await(conditions, 1, writers(wait.writers()), wait.wordName());
    }
}
