// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.CoterieException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The values that a PE publishes for the others, by key.
///
/// ```
///  length of the key: 4 bytes │ key │ length of the value: 4 bytes │ value │ …
/// ```
final class PublishedValues {
    private static final int MAX_KEY_BYTES = 255;

    private final Map<String, byte[]> values = new TreeMap<>();
    private int bytes;

    /// See [coterie.spi.PeJob#put].
    void put(int pe, String key, byte[] value) {
        int keyBytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (keyBytes == 0 || keyBytes > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("put of a value on PE " + pe + ": the key \"" + key + "\" has "
                    + keyBytes + " bytes; allowed are [1, " + MAX_KEY_BYTES + "]");
        }
        byte[] before = values.get(key);
        int needed = bytes + (before == null ? 2 * Integer.BYTES + keyBytes : -before.length) + value.length;
        if (needed > JobFrame.VALUE_BYTES) {
            throw new CoterieException("put of the value \"" + key + "\" on PE " + pe + ": the values of this PE need "
                    + needed + " bytes, but it can store " + JobFrame.VALUE_BYTES
                    + "; exchange larger ones through memory");
        }
        values.put(key, value.clone());
        bytes = needed;
    }

    /// Adds all of them to a message.
    void addTo(JobFrame.Builder message) {
        values.forEach((key, value) -> {
            byte[] name = key.getBytes(StandardCharsets.UTF_8);
            message.number(name.length).bytes(name).number(value.length).bytes(value);
        });
    }

    /// Returns the value of a key among those of a message, if it has one.
    static Optional<byte[]> find(byte[] all, String key) {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer rest = ByteBuffer.wrap(all);
        while (rest.hasRemaining()) {
            boolean isFound = Arrays.equals(next(rest), name);
            byte[] value = next(rest);
            if (isFound) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    private static byte[] next(ByteBuffer rest) {
        byte[] bytes = new byte[rest.getInt()];
        rest.get(bytes);
        return bytes;
    }
}
