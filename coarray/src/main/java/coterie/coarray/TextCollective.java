// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.ByteView;
import coterie.CustomReduction;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The least and the greatest of the images' texts.
final class TextCollective {
    private TextCollective() {}

    /// Returns the least or the greatest text: as bytes, whose order is that of the UTF-16 code units, after a
    /// length.
    static String run(Team core, String name, int sign, String value) {
        byte[] mine = bytes(value);
        long longest = core.allReduce(Reduction.MAX, (long) mine.length);
        int width = (int) (Long.BYTES + (longest + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
        SymmetricMemory memory = core.allocate(width);
        ByteView bytes = memory.bytes();
        MemorySegment own = memory.segment();
        own.set(LENGTH, 0, mine.length);
        MemorySegment.copy(mine, 0, own, ValueLayout.JAVA_BYTE, Long.BYTES, mine.length);
        CustomReduction chosen = new CustomReduction(name, width, (target, left, right, count) -> {
            for (long at = 0; at < count * width; at += width) {
                MemorySegment first = left.asSlice(at, width);
                MemorySegment second = right.asSlice(at, width);
                boolean takesFirst = sign * compare(first, second) >= 0;
                target.asSlice(at, width).copyFrom(takesFirst ? first : second);
            }
        });
        core.allReduce(chosen, bytes, 0, bytes, 0, width);
        byte[] result = new byte[(int) own.get(LENGTH, 0)];
        MemorySegment.copy(own, ValueLayout.JAVA_BYTE, Long.BYTES, result, 0, result.length);
        memory.free();
        return text(result);
    }

    /// Returns the code units of a text, the high byte first: also those that are no character, which a charset
    /// would replace.
    private static byte[] bytes(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(text.length(), Character.BYTES));
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }

    private static String text(byte[] codeUnits) {
        return ByteBuffer.wrap(codeUnits).asCharBuffer().toString();
    }

    private static final ValueLayout.OfLong LENGTH = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.nativeOrder());

    private static int compare(MemorySegment first, MemorySegment second) {
        long a = first.get(LENGTH, 0);
        long b = second.get(LENGTH, 0);
        for (long i = Long.BYTES; i < Long.BYTES + Math.min(a, b); i++) {
            int order = Byte.compareUnsigned(first.get(ValueLayout.JAVA_BYTE, i), second.get(ValueLayout.JAVA_BYTE, i));
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(a, b);
    }
}
