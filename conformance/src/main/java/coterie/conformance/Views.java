// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.ElementView;
import coterie.IntegerView;
import coterie.SymmetricMemory;
import java.util.List;

/// A block by every type of element.
final class Views {
    private Views() {}

    /// Each width of integers and of floating-point numbers.
    static List<ElementView> of(SymmetricMemory memory) {
        return List.of(
                memory.bytes(),
                memory.shorts(),
                memory.ints(),
                memory.longs(),
                memory.floats(),
                memory.doubles(),
                memory.halves(),
                memory.bfloat16s());
    }

    /// Integers of each width, signed and unsigned.
    static List<IntegerView> integers(SymmetricMemory memory) {
        return List.of(
                memory.bytes(),
                memory.bytes().unsigned(),
                memory.shorts(),
                memory.shorts().unsigned(),
                memory.ints(),
                memory.ints().unsigned(),
                memory.longs(),
                memory.longs().unsigned());
    }

    /// What a view reads where these bits were stored.
    static long lowBits(IntegerView view, long value) {
        return switch (view.type()) {
            case BYTE -> (byte) value;
            case UNSIGNED_BYTE -> value & 0xFF;
            case SHORT -> (short) value;
            case UNSIGNED_SHORT -> value & 0xFFFF;
            case INT -> (int) value;
            case UNSIGNED_INT -> value & 0xFFFF_FFFFL;
            default -> value;
        };
    }
}
