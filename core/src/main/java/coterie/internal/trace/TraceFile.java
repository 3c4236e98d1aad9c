// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import coterie.CoterieException;
import coterie.internal.posix.AddressSpace;
import coterie.internal.posix.Uninterruptibly;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The file of a PE, mapped: the kernel writes what a PE has stored, also after the PE was killed.
final class TraceFile {
    private static final int ZEROS = 1 << 16;

    final long area;
    final long capacity;
    private final Map<String, Integer> texts = new ConcurrentHashMap<>();

    private TraceFile(long area, long capacity) {
        this.area = area;
        this.capacity = capacity;
    }

    /// Opens the file of a PE, or makes it.
    static TraceFile open(Path folder, int pe, int pes, long events) {
        Path path = folder.resolve(TraceLayout.fileName(pe));
        try {
            reserve(path, TraceLayout.fileBytes(events));
            return Uninterruptibly.call(() -> {
                try (FileChannel channel = FileChannel.open(path, READ, WRITE)) {
                    long area = channel.map(MapMode.READ_WRITE, 0, TraceLayout.fileBytes(events), Arena.global())
                            .address();
                    TraceFile file = new TraceFile(area, events);
                    file.begin(pe, pes);
                    return file;
                }
            });
        } catch (IOException e) {
            throw new CoterieException(
                    "join on PE " + pe + ": its trace in " + path + " needs " + TraceLayout.fileBytes(events)
                            + " bytes: " + e.getMessage() + "; choose another folder, or fewer events",
                    e);
        }
    }

    /// Writes zeros to the part of the file that does not exist: a full file system refuses a write with an error,
    /// and a store into mapped memory with a signal that ends the JVM.
    private static void reserve(Path path, long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            byte[] zeros = new byte[ZEROS];
            long from = file.length();
            file.seek(from);
            for (long left = bytes - from; left > 0; left -= zeros.length) {
                file.write(zeros, 0, (int) Math.min(zeros.length, left));
            }
        }
    }

    private void begin(int pe, int pes) {
        if (AddressSpace.getLongAcquire(area + TraceLayout.VERSION) != TraceLayout.MAGIC) {
            AddressSpace.setLongOpaque(area + TraceLayout.CAPACITY, capacity);
            AddressSpace.setLongOpaque(area + TraceLayout.PE, pe);
            AddressSpace.setLongOpaque(area + TraceLayout.PES, pes);
            AddressSpace.setLongOpaque(area + TraceLayout.TEXTS_END, TraceLayout.TEXTS + Long.BYTES); // 0 is no text
            AddressSpace.setLongOpaque(area + TraceLayout.OPENED_AT, System.nanoTime());
            AddressSpace.setLongOpaque(area + TraceLayout.WALL_MILLIS, System.currentTimeMillis());
            AddressSpace.setLongRelease(area + TraceLayout.VERSION, TraceLayout.MAGIC);
        }
    }

    /// Returns the number of a text, or 0 if there is no room for it.
    int text(String text) {
        Integer known = texts.get(text);
        return known != null ? known : add(text);
    }

    private synchronized int add(String text) {
        Integer known = texts.get(text);
        if (known != null) {
            return known;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long at = AddressSpace.getLongOpaque(area + TraceLayout.TEXTS_END);
        long end = at + (Integer.BYTES + bytes.length + Long.BYTES - 1L) / Long.BYTES * Long.BYTES;
        if (end > TraceLayout.TEXTS + TraceLayout.TEXTS_BYTES) {
            return 0;
        }
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, AddressSpace.ALL, area + at + Integer.BYTES, bytes.length);
        AddressSpace.setIntOpaque(area + at, bytes.length);
        AddressSpace.setLongRelease(area + TraceLayout.TEXTS_END, end);
        int number = (int) ((at - TraceLayout.TEXTS) / Long.BYTES);
        texts.put(text, number);
        return number;
    }

    /// Opens a lane; when there is no room for more, the last one is for all.
    ///
    /// @return its number
    synchronized int openLane(String name) {
        long opened = AddressSpace.getLongOpaque(area + TraceLayout.LANES_OPENED);
        if (opened == TraceLayout.MOST_LANES) {
            return TraceLayout.MOST_LANES - 1;
        }
        boolean isLast = opened == TraceLayout.MOST_LANES - 1;
        AddressSpace.setLongOpaque(lane((int) opened) + TraceLayout.NAME, text(isLast ? "other threads" : name));
        AddressSpace.setLongRelease(area + TraceLayout.LANES_OPENED, opened + 1);
        return (int) opened;
    }

    long lane(int number) {
        return area + TraceLayout.LANES + number * TraceLayout.LANE_BYTES;
    }

    /// Returns the address of the slot for one more event.
    long claim() {
        long number = AddressSpace.getAndAddLong(area + TraceLayout.CLAIMED, 1);
        return area + TraceLayout.RING + number % capacity * TraceLayout.EVENT_BYTES;
    }
}
