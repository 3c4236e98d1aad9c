// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The name of a team or a layer in the words in which a status page shows it: made once, so that a PE that has begun
/// to wait can say for whom without allocating.
public final class StatusLabel {
    /// Words of a label; a longer name is cut.
    static final int WORDS = 8;

    private final String name;
    private final long[] words = new long[WORDS];

    public StatusLabel(String name) {
        this.name = name;
        byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer padded = ByteBuffer.allocate(WORDS * Long.BYTES).order(ByteOrder.nativeOrder());
        padded.put(bytes, 0, Math.min(bytes.length, padded.capacity())).clear();
        padded.asLongBuffer().get(words);
    }

    /// The name, whole.
    public String name() {
        return name;
    }

    long word(int word) {
        return words[word];
    }

    /// The name that the words of a page hold.
    static String name(long[] words) {
        ByteBuffer bytes = ByteBuffer.allocate(WORDS * Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.asLongBuffer().put(words);
        String padded = StandardCharsets.ISO_8859_1.decode(bytes).toString();
        int end = padded.indexOf('\0');
        return end < 0 ? padded : padded.substring(0, end);
    }
}
