// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// What all PEs of a job have recorded, in one order.
///
/// @param pes by number, without those that have recorded nothing
/// @param events in the order of their begins, all with an end
/// @param open the numbers of the events that had not ended
/// @param causes what has ended the waits
/// @param beginNanos when the first PE joined
record MergedTrace(
        List<PeEvents> pes,
        List<RecordedEvent> events,
        BitSet open,
        List<WaitCause> causes,
        long beginNanos,
        long endNanos) {

    MergedTrace {
        pes = List.copyOf(pes);
        events = List.copyOf(events);
        causes = List.copyOf(causes);
    }

    /// Reads the files of all PEs.
    ///
    /// @param endNanos when the job has ended: the end of operations that have none
    static MergedTrace read(Path folder, long endNanos) throws IOException {
        List<PeEvents> pes = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".events")).toList()) {
                EventFile.read(file).ifPresent(pes::add);
            }
        }
        pes.sort(Comparator.comparingInt(PeEvents::pe));
        return of(pes, endNanos);
    }

    static MergedTrace of(List<PeEvents> pes, long endNanos) {
        List<RecordedEvent> events = new ArrayList<>();
        pes.forEach(pe -> events.addAll(pe.events()));
        long end = Math.max(
                endNanos,
                events.stream().mapToLong(RecordedEvent::endNanos).max().orElse(0));
        events.sort(Comparator.comparingLong(RecordedEvent::beginNanos)
                .thenComparingLong(event -> event.isOpen() ? Long.MIN_VALUE : -event.endNanos())
                .thenComparingInt(RecordedEvent::pe)
                .thenComparingInt(RecordedEvent::lane));
        BitSet open = new BitSet();
        for (int number = 0; number < events.size(); number++) {
            if (events.get(number).isOpen()) {
                open.set(number);
                events.set(number, events.get(number).endingAt(end));
            }
        }
        long begin = pes.stream().mapToLong(PeEvents::openedNanos).min().orElse(end);
        List<WaitCause> causes = WaitCauses.of(events, number -> !open.get(number));
        return new MergedTrace(pes, events, open, causes, begin, end);
    }

    /// Returns the number of PEs of the job.
    int size() {
        return pes.isEmpty() ? 0 : pes.getFirst().pes();
    }

    /// Returns how many operations found no room.
    long dropped() {
        return pes.stream().mapToLong(PeEvents::dropped).sum();
    }
}
