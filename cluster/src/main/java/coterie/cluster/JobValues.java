// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The values of all PEs of a job, as one PE has them, and the fences that exchange them. The values of a fence
/// arrive one PE after another, and replace those of the fence before when all have arrived. Any thread may call
/// any method.
final class JobValues {
    private static final int MAX_KEY_BYTES = 255;

    private final int pe;

    /// What this PE sends with its next fence.
    private final Map<String, byte[]> mine = new TreeMap<>();

    private int mineBytes;

    /// Of each PE: those of the latest complete fence, and those that have arrived of the next one.
    private byte[][] values;

    private byte[][] arriving;
    private long begun;
    private long complete;

    JobValues(int pe, int size) {
        this.pe = pe;
        this.values = new byte[size][0];
        this.arriving = new byte[size][0];
    }

    /// Stores a value of this PE for its next fence, see [coterie.spi.PeJob#put].
    synchronized void put(String key, byte[] value) {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        if (name.length == 0 || name.length > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("put of a value on PE " + pe + ": the key \"" + key + "\" has "
                    + name.length + " bytes; allowed are [1, " + MAX_KEY_BYTES + "]");
        }
        byte[] before = mine.get(key);
        int needed = mineBytes
                + (before == null ? 2 * Integer.BYTES + name.length : -before.length) // an entry with an empty value
                + value.length;
        if (needed > JobFrame.VALUE_BYTES) {
            throw new CoterieException("put of the value \"" + key + "\" on PE " + pe + ": the values of this PE need "
                    + needed + " bytes, but it can store " + JobFrame.VALUE_BYTES
                    + "; exchange larger ones through memory");
        }
        mine.put(key, value.clone());
        mineBytes = needed;
    }

    /// Counts a fence that this PE begins, and writes its number and the values of this PE.
    ///
    /// @return the number, a ticket for [#isFenced]
    synchronized long begin(JobFrame.Builder message) {
        message.number(++begun);
        mine.forEach((key, value) -> {
            byte[] name = key.getBytes(StandardCharsets.UTF_8);
            message.number(name.length).bytes(name).number(value.length).bytes(value);
        });
        return begun;
    }

    /// Takes the values of a PE for the next fence.
    synchronized void arrive(int from, byte[] bytes) {
        arriving[from] = bytes;
    }

    /// Replaces the values by those that have arrived.
    synchronized void complete(long fence) {
        values = arriving;
        arriving = new byte[values.length][0];
        complete = fence;
    }

    synchronized boolean isFenced(long ticket) {
        return complete >= ticket;
    }

    /// Returns a value that a PE stored before the latest complete fence.
    Optional<byte[]> get(int other, String key) {
        ByteBuffer all;
        synchronized (this) {
            all = ByteBuffer.wrap(values[other]);
        }
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        while (all.hasRemaining()) {
            boolean isFound = Arrays.equals(next(all), name);
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
}
