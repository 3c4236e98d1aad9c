// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Finds out what has ended each wait.
///
/// | wait | what has ended it |
/// | --- | --- |
/// | for a word | the latest update that began before the wait's end and could leave the value found |
/// | for members of a team | the member that began the collective last, of those that began before the waiter's end |
/// | for a lock | the latest unlock by another thread that began before the wait's end |
///
/// The result for a word is the true one unless two updates of it ran at the same time.
final class WaitCauses {
    /// Updates that are looked at for a wait, from its end back: more only if many updates run at the same time.
    private static final int MOST_UPDATES = 256;

    /// Waits that have no single value that they have found.
    private static final int UNKNOWN = TraceLayout.OF_SET | TraceLayout.OF_LANE | TraceLayout.FAILED;

    private final List<RecordedEvent> events;

    /// By PE, then by place: numbers of the updates of a word, in the order of their begins.
    private final Map<Integer, NavigableMap<Long, List<Integer>>> words = new HashMap<>();

    /// By PE: numbers of the puts of more than a word.
    private final Map<Integer, List<Integer>> blocks = new HashMap<>();

    private final Map<Long, List<Integer>> unlocks = new HashMap<>();
    private final Map<String, List<Integer>> collectives = new HashMap<>();

    private WaitCauses(List<RecordedEvent> events) {
        this.events = events;
        for (int number = 0; number < events.size(); number++) {
            index(number, events.get(number));
        }
    }

    /// Returns the causes, in the order of the waits.
    ///
    /// @param events in the order of their begins
    /// @param isOver tells which ones have ended
    static List<WaitCause> of(List<RecordedEvent> events, java.util.function.IntPredicate isOver) {
        WaitCauses causes = new WaitCauses(events);
        List<WaitCause> found = new ArrayList<>();
        for (int number = 0; number < events.size(); number++) {
            if (isOver.test(number) && events.get(number).isWait()) {
                int cause = causes.causeOf(number);
                if (cause >= 0) {
                    long from = events.get(number).beginNanos();
                    RecordedEvent ending = events.get(cause);
                    long until = ending.kind() == EventKind.COLLECTIVE
                            ? ending.beginNanos()
                            : ending.endNanos() > from ? events.get(number).endNanos() : from;
                    found.add(new WaitCause(number, cause, Math.max(0, until - from)));
                }
            }
        }
        return found;
    }

    private void index(int number, RecordedEvent event) {
        if (event.isUpdate()) {
            boolean isBlock = event.kind() == EventKind.PUT && event.bytes() > Long.BYTES;
            List<Integer> list = isBlock
                    ? blocks.computeIfAbsent(event.peer(), pe -> new ArrayList<>())
                    : words.computeIfAbsent(event.peer(), pe -> new TreeMap<>())
                            .computeIfAbsent(event.place(), place -> new ArrayList<>());
            list.add(number);
        } else if (event.has(TraceLayout.UNLOCKS)) {
            unlocks.computeIfAbsent(event.place(), place -> new ArrayList<>()).add(number);
        } else if (event.kind() == EventKind.COLLECTIVE) {
            collectives.computeIfAbsent(key(event), text -> new ArrayList<>()).add(number);
        }
    }

    private static String key(RecordedEvent event) {
        return event.members() + "#" + event.value() + (event.has(TraceLayout.OF_LANE) ? "L" : "");
    }

    private int causeOf(int number) {
        RecordedEvent wait = events.get(number);
        return switch (wait.kind()) {
            case WAIT -> update(wait);
            case COLLECTIVE -> lastMember(number, wait);
            case LOCK -> latest(unlocks.getOrDefault(wait.place(), List.of()), wait, false);
            default -> -1;
        };
    }

    private int update(RecordedEvent wait) {
        boolean isOne = !wait.has(TraceLayout.OF_SET) || wait.extra() >= 0;
        long first = wait.place() + (wait.has(TraceLayout.OF_SET) && isOne ? wait.extra() : 0);
        long length = wait.has(TraceLayout.OF_SET) && !isOne ? wait.bytes() : 1;
        int found = latest(blocks.getOrDefault(wait.pe(), List.of()), wait, true);
        for (List<Integer> updates : words.getOrDefault(wait.pe(), new TreeMap<>())
                .subMap(first, first + length)
                .values()) {
            int update = latest(updates, wait, false);
            if (update >= 0
                    && (found < 0
                            || events.get(update).beginNanos()
                                    > events.get(found).beginNanos())) {
                found = update;
            }
        }
        return found;
    }

    /// Returns the latest of some operations that could have ended a wait, or −1.
    private int latest(List<Integer> numbers, RecordedEvent wait, boolean isBlock) {
        int low = 0;
        int high = numbers.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (events.get(numbers.get(middle)).beginNanos() <= wait.endNanos()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (int i = low - 1; i >= Math.max(0, low - MOST_UPDATES); i--) {
            RecordedEvent event = events.get(numbers.get(i));
            if (isBlock ? covers(event, wait) : canHaveEnded(event, wait)) {
                return numbers.get(i);
            }
        }
        return -1;
    }

    private static boolean covers(RecordedEvent put, RecordedEvent wait) {
        return put.place() <= wait.place() && wait.place() < put.place() + put.bytes();
    }

    private static boolean canHaveEnded(RecordedEvent event, RecordedEvent wait) {
        if (event.kind() == EventKind.LOCK) {
            return event.pe() != wait.pe() || event.lane() != wait.lane();
        }
        if (event.has(TraceLayout.SETS) && wait.has(TraceLayout.OF_LANE)) {
            return wait.comparison().holds(event.value(), wait.value());
        }
        boolean isKnown = event.has(TraceLayout.SETS) && !wait.has(UNKNOWN);
        int unused = Long.SIZE - Byte.SIZE * Math.clamp(wait.bytes(), 1, Long.BYTES);
        return !isKnown || (event.value() ^ wait.extra()) << unused == 0;
    }

    private int lastMember(int number, RecordedEvent wait) {
        int last = number;
        for (int other : collectives.getOrDefault(key(wait), List.of())) {
            RecordedEvent event = events.get(other);
            if (event.beginNanos() <= wait.endNanos()
                    && event.label().equals(wait.label())
                    && event.beginNanos() > events.get(last).beginNanos()) {
                last = other;
            }
        }
        return last == number ? -1 : last;
    }
}
