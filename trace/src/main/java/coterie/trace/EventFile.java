// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Comparison;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the file of a PE, which may have been killed while it wrote.
final class EventFile {
    private static final EventKind[] KINDS = EventKind.values();
    private static final Comparison[] COMPARISONS = Comparison.values();
    private static final long TEXT_MASK = (1L << TraceLayout.TEXT_BITS) - 1;

    private final MemorySegment file;
    private final Map<Long, String> texts = new HashMap<>();
    private final int pe;

    private EventFile(MemorySegment file) {
        this.file = file;
        this.pe = (int) word(TraceLayout.PE);
    }

    /// Reads a file; empty if its PE was killed before it had a header.
    static Optional<PeEvents> read(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long bytes = channel.size();
            if (bytes < TraceLayout.RING) {
                return Optional.empty();
            }
            MemorySegment file = channel.map(MapMode.READ_ONLY, 0, bytes, arena);
            return file.get(JAVA_LONG, TraceLayout.VERSION) == TraceLayout.MAGIC
                    ? Optional.of(new EventFile(file).read())
                    : Optional.empty();
        }
    }

    private PeEvents read() {
        List<String> lanes = new ArrayList<>();
        List<RecordedEvent> events = new ArrayList<>();
        long opened = Math.min(word(TraceLayout.LANES_OPENED), TraceLayout.MOST_LANES);
        for (int lane = 0; lane < opened; lane++) {
            long at = TraceLayout.LANES + lane * TraceLayout.LANE_BYTES;
            lanes.add(text(word(at + TraceLayout.NAME)));
        }
        long room = (file.byteSize() - TraceLayout.RING) / TraceLayout.EVENT_BYTES;
        long capacity = Math.clamp(word(TraceLayout.CAPACITY), 1, room);
        long claimed = word(TraceLayout.CLAIMED);
        for (long number = Math.max(0, claimed - capacity); number < claimed; number++) {
            add(events, event(TraceLayout.RING + number % capacity * TraceLayout.EVENT_BYTES, lanes.size()));
        }
        for (int lane = 0; lane < opened; lane++) {
            add(events, event(TraceLayout.LANES + lane * TraceLayout.LANE_BYTES + TraceLayout.OPEN, lanes.size()));
        }
        return new PeEvents(
                pe,
                (int) word(TraceLayout.PES),
                word(TraceLayout.OPENED_AT),
                word(TraceLayout.WALL_MILLIS),
                lanes,
                claimed,
                events);
    }

    private static void add(List<RecordedEvent> events, @Nullable RecordedEvent event) {
        if (event != null) {
            events.add(event);
        }
    }

    private @Nullable RecordedEvent event(long at, int lanes) {
        long kindWord = word(at + TraceLayout.KIND);
        int kind = (int) (kindWord & 0xff);
        long textWord = word(at + TraceLayout.TEXT);
        int lane = (int) (textWord & 0xffff);
        if (kind == 0 || kind >= KINDS.length || lane >= lanes) {
            return null;
        }
        EventKind known = KINDS[kind];
        long extra = word(at + TraceLayout.EXTRA);
        return new RecordedEvent(
                pe,
                lane,
                word(at + TraceLayout.BEGIN),
                word(at + TraceLayout.END),
                known,
                COMPARISONS[(int) Math.min(kindWord >>> TraceLayout.COMPARISON_SHIFT & 0xff, COMPARISONS.length - 1L)],
                (int) (kindWord >>> TraceLayout.FLAGS_SHIFT & 0xffff),
                text(textWord >>> TraceLayout.LABEL_SHIFT & TEXT_MASK),
                text(textWord >>> TraceLayout.SITE_SHIFT & TEXT_MASK),
                (int) (kindWord >> Integer.SIZE),
                word(at + TraceLayout.PLACE),
                word(at + TraceLayout.VALUE),
                word(at + TraceLayout.BYTES),
                extra,
                known == EventKind.COLLECTIVE ? text(extra) : "");
    }

    private long word(long at) {
        return file.get(JAVA_LONG, at);
    }

    private String text(long number) {
        return texts.computeIfAbsent(number, this::load);
    }

    private String load(long number) {
        long at = TraceLayout.TEXTS + number * Long.BYTES;
        if (number <= 0 || at > TraceLayout.RING - Integer.BYTES) {
            return "";
        }
        int length = file.get(JAVA_INT, at);
        if (length < 0 || at + Integer.BYTES + length > TraceLayout.RING) {
            return "";
        }
        byte[] bytes = file.asSlice(at + Integer.BYTES, length).toArray(JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
