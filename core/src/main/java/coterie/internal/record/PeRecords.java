// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.SymmetricMemory;
import coterie.internal.posix.AddressSpace;
import coterie.spi.LaneDescription;
import coterie.spi.OperationLog;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The records of this PE: its texts and its lanes.
public final class PeRecords {
    /// Gets memory for a part of the records that is used for the first time.
    @FunctionalInterface
    public interface Reserve {
        /// Returns whether the part can be used now.
        boolean range(long offset, long length);
    }

    private static final int MOST_WRITERS = 256;

    /// Allocations that have texts, a quarter of the room for all texts: a program may make any number of them.
    private static final int MOST_ALLOCATIONS = 200;

    private final long area;
    private final Reserve reserve;
    private final ToLongFunction<SymmetricMemory> offsets;
    private final Function<Object, int @Nullable []> writers;
    private final Function<SymmetricMemory, RecordedAllocation> allocations;

    /// Texts of allocations.
    private final Map<RecordedAllocation, Integer> allocationTexts = new HashMap<>();

    /// Texts of lists of PEs, which views keep as long as they live.
    private final IdentityHashMap<int[], Integer> writerTexts = new IdentityHashMap<>();

    private final Map<String, Integer> texts = new HashMap<>();
    private final Deque<Integer> closed = new ArrayDeque<>();
    private int opened;
    private int unrecorded;
    private int teams;
    private boolean hasCollectives;

    /// Where the next text begins, and where the reserved pages for texts end.
    private long textsEnd = PeRecordLayout.TEXTS;

    private long reservedTexts = PeRecordLayout.HEADER_BYTES;

    /// @param area the address of the records
    /// @param offsets where blocks begin
    /// @param writers the PEs that may write words, or null for all
    /// @param allocations what blocks are for reports
    public PeRecords(
            long area,
            Reserve reserve,
            ToLongFunction<SymmetricMemory> offsets,
            Function<Object, int @Nullable []> writers,
            Function<SymmetricMemory, RecordedAllocation> allocations) {
        this.area = area;
        this.reserve = reserve;
        this.offsets = offsets;
        this.writers = writers;
        this.allocations = allocations;
    }

    /// Opens a lane. If there is no room for it, readers learn no more than that it is open.
    public synchronized OperationLog open(LaneDescription description) {
        Integer number = closed.poll();
        if (number == null) {
            hasCollectives =
                    hasCollectives || reserve.range(PeRecordLayout.COLLECTIVES, PeRecordLayout.COLLECTIVES_BYTES);
            if (opened == PeRecordLayout.MOST_LANES
                    || !hasCollectives
                    || !reserve.range(PeRecordLayout.lane(0, opened), PeRecordLayout.LANE_BYTES)) {
                addUnrecorded(1);
                return new UnrecordedLane(this);
            }
            number = opened++;
        }
        long lane = PeRecordLayout.lane(area, number);
        AddressSpace.setLongRelease(lane + PeRecordLayout.NAME, text(description.name()));
        AddressSpace.setLongRelease(lane + PeRecordLayout.ISSUED, 0);
        AddressSpace.setLongRelease(lane + PeRecordLayout.COMPLETED, 0);
        AddressSpace.setLongRelease(lane + PeRecordLayout.SINCE, System.nanoTime());
        AddressSpace.setLongRelease(lane + PeRecordLayout.QUEUE, description.queue());
        AddressSpace.setLongRelease(
                lane + PeRecordLayout.LIMITS,
                description.slots() | (description.isDispatched() ? PeRecordLayout.DISPATCHED : 0));
        AddressSpace.setLongRelease(
                lane + PeRecordLayout.STATE, description.isHost() ? PeRecordLayout.HOST : PeRecordLayout.DEVICE);
        AddressSpace.setLongRelease(area + PeRecordLayout.LANES_OPENED, opened);
        return new LaneRecords(this, number, lane);
    }

    /// Tells readers that there is a lane, or one fewer, of which they learn nothing: its code may do anything.
    public synchronized void addUnrecorded(int lanes) {
        unrecorded += lanes;
        AddressSpace.setLongRelease(area + PeRecordLayout.LANES_UNRECORDED, unrecorded);
    }

    synchronized long nextCollective(int team) {
        int entry = team == 0 ? PeRecordLayout.MOST_TEAMS : entryOf(team);
        if (entry == PeRecordLayout.MOST_TEAMS) {
            return -1;
        }
        long count = PeRecordLayout.entry(area, entry) + PeRecordLayout.CALLED;
        long number = AddressSpace.getLongOpaque(count);
        AddressSpace.setLongRelease(count, number + 1);
        return number;
    }

    synchronized void skipCollective(int team, int cause) {
        int entry = team == 0 ? PeRecordLayout.MOST_TEAMS : entryOf(team);
        if (entry < PeRecordLayout.MOST_TEAMS) {
            long skipped = PeRecordLayout.entry(area, entry) + PeRecordLayout.SKIPPED;
            long before = AddressSpace.getLongOpaque(skipped);
            if (before == 0) {
                AddressSpace.setLongOpaque(PeRecordLayout.entry(area, entry) + PeRecordLayout.SKIP_CAUSE, cause);
            }
            AddressSpace.setLongRelease(skipped, before + 1);
        }
    }

    /// Returns the entry of a team, a new one if it has none; the number of all if there is no room.
    private int entryOf(int team) {
        for (int entry = 0; entry < teams; entry++) {
            if (AddressSpace.getLongOpaque(PeRecordLayout.entry(area, entry)) == team) {
                return entry;
            }
        }
        if (teams < PeRecordLayout.MOST_TEAMS) {
            AddressSpace.setLongRelease(PeRecordLayout.entry(area, teams), team);
            teams++;
            return teams - 1;
        }
        return teams;
    }

    long offset(SymmetricMemory memory) {
        return offsets.applyAsLong(memory);
    }

    int allocation(SymmetricMemory memory) {
        return allocationText(allocationOf(memory));
    }

    RecordedAllocation allocationOf(SymmetricMemory memory) {
        return allocations.apply(memory);
    }

    private synchronized int allocationText(RecordedAllocation allocation) {
        Integer known = allocationTexts.get(allocation);
        if (known == null) {
            if (allocationTexts.size() == MOST_ALLOCATIONS) {
                return 0;
            }
            known = text(allocation.text());
            allocationTexts.put(allocation, known);
        }
        return known;
    }

    int writers(Object words) {
        int[] pes = writers.apply(words);
        return pes == null ? 0 : writersText(pes);
    }

    private synchronized int writersText(int[] pes) {
        Integer known = writerTexts.get(pes);
        if (known == null) {
            if (writerTexts.size() == MOST_WRITERS) {
                writerTexts.clear(); // of a program that makes a view for each wait
            }
            known = text(
                    Arrays.stream(pes).mapToObj(Integer::toString).collect(Collectors.joining(",", "writers=", "")));
            writerTexts.put(pes, known);
        }
        return known;
    }

    /// Takes a lane back.
    synchronized void close(int number) {
        AddressSpace.setLongRelease(PeRecordLayout.lane(area, number) + PeRecordLayout.STATE, PeRecordLayout.CLOSED);
        closed.add(number);
    }

    /// Returns the number of a text, or 0 if there is no room for it.
    synchronized int text(String text) {
        Integer known = texts.get(text);
        if (known != null) {
            return known;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int needed = Integer.BYTES + (bytes.length + Integer.BYTES - 1) / Integer.BYTES * Integer.BYTES;
        if (!hasRoom(textsEnd + needed)) {
            return 0;
        }
        int at = (int) textsEnd;
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, AddressSpace.ALL, area + at + Integer.BYTES, bytes.length);
        AddressSpace.setIntOpaque(area + at, bytes.length); // published with the lane or operation that has it
        textsEnd += needed;
        texts.put(text, at);
        return at;
    }

    private boolean hasRoom(long end) {
        if (end > PeRecordLayout.COLLECTIVES) {
            return false;
        }
        while (end > reservedTexts) {
            if (!reserve.range(reservedTexts, PeRecordLayout.HEADER_BYTES)) {
                return false;
            }
            reservedTexts += PeRecordLayout.HEADER_BYTES;
        }
        return true;
    }
}
