// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import coterie.CoterieException;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The values that PEs of a node exchange through the control segment; see [coterie.spi.PeJob#put].
///
/// ```
///  area of a PE    0  fences that the PE has begun
///                  8  bytes of copy 0,  16  bytes of copy 1
///                128  copy 0: key length, key, value length, value, …
///                  …  copy 1
/// ```
///
/// A PE that begins fence n writes all its values into copy n mod 2, and then publishes n. Peers read that copy
/// between the ends of fence n and of fence n + 1; the PE overwrites it for fence n + 2, which it begins only after
/// all PEs have begun fence n + 1.
final class ValueAreas {
    /// Bytes of a PE's area: addresses, and pages only where a PE has stored something.
    static final long AREA_BYTES = 128 << 10;

    private static final long COPIES = 128;

    /// Bytes of an area that peers read before its PE has stored anything.
    static final long HEADER_BYTES = COPIES;

    /// Bytes of a copy.
    static final long VALUE_BYTES = (AREA_BYTES - COPIES) / 2;

    private static final int MOST_KEY_BYTES = 255;

    private final long base;
    private final int size;
    private final int me;
    private final Map<String, byte[]> mine = new TreeMap<>();

    /// The latest fence that is complete.
    private volatile long complete;

    /// @param base address of the areas of all PEs
    ValueAreas(long base, int size, int me) {
        this.base = base;
        this.size = size;
        this.me = me;
    }

    synchronized void put(String key, byte[] value) {
        int keyBytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (keyBytes == 0 || keyBytes > MOST_KEY_BYTES) {
            throw new IllegalArgumentException("put of a value on PE " + me + ": the key \"" + key + "\" has "
                    + keyBytes + " bytes; allowed are [1, " + MOST_KEY_BYTES + "]");
        }
        byte[] before = mine.put(key, value.clone());
        long bytes = bytes();
        if (bytes > VALUE_BYTES) {
            if (before == null) {
                mine.remove(key);
            } else {
                mine.put(key, before);
            }
            throw new CoterieException("put of the value \"" + key + "\" on PE " + me + ": the values of this PE need "
                    + bytes + " bytes, but it can store " + VALUE_BYTES + "; exchange larger ones through memory");
        }
    }

    private long bytes() {
        long bytes = 0;
        for (Map.Entry<String, byte[]> each : mine.entrySet()) {
            bytes += 2 * Integer.BYTES + each.getKey().getBytes(StandardCharsets.UTF_8).length + each.getValue().length;
        }
        return bytes;
    }

    synchronized long fence() {
        long number = AddressSpace.getLongAcquire(area(me)) + 1;
        ByteBuffer all = ByteBuffer.allocate((int) bytes());
        mine.forEach((key, value) -> {
            byte[] name = key.getBytes(StandardCharsets.UTF_8);
            all.putInt(name.length).put(name).putInt(value.length).put(value);
        });
        MemorySegment.copy(MemorySegment.ofArray(all.array()), 0, AddressSpace.ALL, copy(me, number), all.capacity());
        AddressSpace.setLongRelease(length(me, number), all.capacity());
        AddressSpace.setLongRelease(area(me), number);
        return number;
    }

    boolean isFenced(long number) {
        if (complete >= number) {
            return true;
        }
        for (int pe = 0; pe < size; pe++) {
            if (AddressSpace.getLongAcquire(area(pe)) < number) {
                return false;
            }
        }
        complete = number;
        return true;
    }

    Optional<byte[]> get(int pe, String key) {
        long number = complete;
        if (number == 0) {
            return Optional.empty();
        }
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[(int) AddressSpace.getLongAcquire(length(pe, number))];
        MemorySegment.copy(AddressSpace.ALL, ValueLayout.JAVA_BYTE, copy(pe, number), bytes, 0, bytes.length);
        ByteBuffer all = ByteBuffer.wrap(bytes);
        while (all.hasRemaining()) {
            boolean isFound = ByteBuffer.wrap(next(all)).equals(ByteBuffer.wrap(name));
            byte[] value = next(all);
            if (isFound) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    private static byte[] next(ByteBuffer all) {
        byte[] bytes = new byte[all.getInt()];
        all.get(bytes);
        return bytes;
    }

    private long area(int pe) {
        return base + pe * AREA_BYTES;
    }

    private long length(int pe, long number) {
        return area(pe) + Long.BYTES * (1 + (number & 1));
    }

    private long copy(int pe, long number) {
        return area(pe) + COPIES + (number & 1) * VALUE_BYTES;
    }
}
