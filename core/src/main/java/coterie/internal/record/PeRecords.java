// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.internal.posix.AddressSpace;
import coterie.spi.OperationLog;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The records of this PE: its texts and its lanes.
public final class PeRecords {
    /// Gets memory for a part of the records that is used for the first time.
    @FunctionalInterface
    public interface Reserve {
        /// @return whether the part can be used now
        boolean range(long offset, long length);
    }

    private final long area;
    private final Reserve reserve;
    private final Map<String, Integer> texts = new HashMap<>();
    private final Deque<Integer> closed = new ArrayDeque<>();
    private int opened;
    private int textBytes;
    private boolean hasTexts;

    /// @param area the address of the records
    public PeRecords(long area, Reserve reserve) {
        this.area = area;
        this.reserve = reserve;
    }

    /// Opens a lane, or returns null if there is no room for it.
    ///
    /// @param isHost whether it is a thread of the program
    /// @param queue the hardware queue that it shares, or -1
    public synchronized @Nullable OperationLog open(String name, boolean isHost, int queue) {
        Integer number = closed.poll();
        if (number == null) {
            if (opened == RecordLayout.MOST_LANES || !reserveLane(opened)) {
                return null;
            }
            number = opened++;
        }
        long lane = RecordLayout.lane(area, number);
        AddressSpace.setLongRelease(lane + RecordLayout.NAME, text(name));
        AddressSpace.setLongRelease(lane + RecordLayout.ISSUED, 0);
        AddressSpace.setLongRelease(lane + RecordLayout.COMPLETED, 0);
        AddressSpace.setLongRelease(lane + RecordLayout.QUEUE, queue);
        AddressSpace.setLongRelease(
                lane + RecordLayout.STATE, isHost ? RecordLayout.HOST : RecordLayout.DEVICE);
        AddressSpace.setLongRelease(area + RecordLayout.LANES_OPENED, opened);
        return new LaneRecords(this, number, lane);
    }

    private boolean reserveLane(int number) {
        if (!hasTexts) {
            hasTexts = reserve.range(RecordLayout.TEXTS, RecordLayout.LANES - RecordLayout.TEXTS);
        }
        return hasTexts
                && reserve.range(RecordLayout.lane(0, number), RecordLayout.LANE_BYTES);
    }

    /// Takes a lane back.
    synchronized void close(int number) {
        AddressSpace.setLongRelease(RecordLayout.lane(area, number) + RecordLayout.STATE, RecordLayout.CLOSED);
        closed.add(number);
    }

    /// Returns the number of a text, or 0 if there is no room for it.
    synchronized int text(String text) {
        Integer known = texts.get(text);
        if (known != null) {
            return known;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long at = RecordLayout.TEXTS + textBytes;
        int needed = Integer.BYTES + (bytes.length + Integer.BYTES - 1) / Integer.BYTES * Integer.BYTES;
        if (!hasTexts || at + needed > RecordLayout.LANES) {
            return 0;
        }
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, AddressSpace.ALL, area + at + Integer.BYTES, bytes.length);
        AddressSpace.setIntOpaque(area + at, bytes.length);
        textBytes += needed;
        AddressSpace.setLongRelease(area + RecordLayout.TEXT_BYTES, textBytes);
        texts.put(text, (int) at);
        return (int) at;
    }
}
