// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.ElementType;
import java.util.Objects;

/// An element of a window, and those after it.
/// @counterpart `ncclSymPtr`
/// @param window where it is
/// @param byteOffset from the begin of the window; operations check it
/// @param type of the elements that operations count
public record SymmetricPointer(Window window, long byteOffset, ElementType type) {
    public SymmetricPointer {
        Objects.requireNonNull(window, "SymmetricPointer: window is null");
        Objects.requireNonNull(type, "SymmetricPointer: type is null");
    }

    /// Returns a pointer so many elements further on.
    /// @counterpart `ncclSymPtr::operator+`
    public SymmetricPointer plus(long elements) {
        return new SymmetricPointer(window, Math.addExact(byteOffset, bytes(elements)), type);
    }

    /// Returns the bytes of elements; what fits no window stays out of range.
    long bytes(long elements) {
        return elements > Long.MAX_VALUE / type.byteSize() ? Long.MAX_VALUE : elements * type.byteSize();
    }
}
