// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// An element of a window, and those after it. Pointers are equal if they have the same window, offset and type.
///
/// ```java
/// SymmetricPointer row = window.pointer(0, ElementType.DOUBLE).plus(32);
/// MemorySegment neighbours = row.segment(comm.lsaTeam(), 1); // loads and stores at a peer
/// long index = row.minus(window.pointer(0, ElementType.DOUBLE)); // 32
/// ```
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
    /// @counterpart `ncclSymPtr::operator+`, `ncclSymPtr::operator+=`
    /// @param elements any number; negative ones go back
    /// @throws IndexOutOfBoundsException if the offset in bytes is no `long`
    public SymmetricPointer plus(long elements) {
        try {
            return at(Math.addExact(byteOffset, Math.multiplyExact(elements, type.byteSize())));
        } catch (ArithmeticException e) {
            throw tooFar("plus", elements, e);
        }
    }

    /// Returns a pointer so many elements before.
    /// @counterpart `ncclSymPtr::operator-` of a number, `ncclSymPtr::operator-=`
    /// @param elements any number; negative ones go on
    /// @throws IndexOutOfBoundsException if the offset in bytes is no `long`
    public SymmetricPointer minus(long elements) {
        try {
            return at(Math.subtractExact(byteOffset, Math.multiplyExact(elements, type.byteSize())));
        } catch (ArithmeticException e) {
            throw tooFar("minus", elements, e);
        }
    }

    private SymmetricPointer at(long offset) {
        return new SymmetricPointer(window, offset, type);
    }

    private IndexOutOfBoundsException tooFar(String operation, long elements, ArithmeticException cause) {
        var thrown = new IndexOutOfBoundsException("SymmetricPointer." + operation + ": " + elements + " elements of "
                + type + " from byte " + byteOffset + " of " + window + "; allowed are offsets that are a long");
        thrown.initCause(cause);
        return thrown;
    }

    /// Returns how many elements this pointer is after another; a negative number if it is before.
    /// @counterpart `ncclSymPtr::operator-` of a pointer; another window, unchecked there, throws
    /// @param other of the same window and type
    /// @throws IllegalArgumentException for a pointer of another window or type, or one that is not a whole number
    ///     of elements away
    public long minus(SymmetricPointer other) {
        Objects.requireNonNull(other, "SymmetricPointer.minus: other is null");
        if (!other.window.equals(window) || other.type != type) {
            throw new IllegalArgumentException("SymmetricPointer.minus: " + this + " and " + other
                    + "; allowed are pointers of one window and type");
        }
        long bytes = byteOffset - other.byteOffset;
        boolean overflows = ((byteOffset ^ other.byteOffset) & (byteOffset ^ bytes)) < 0;
        if (overflows || bytes % type.byteSize() != 0) {
            throw new IllegalArgumentException("SymmetricPointer.minus: " + this + " and " + other
                    + "; allowed are pointers that are a whole number of elements apart");
        }
        return bytes / type.byteSize();
    }

    /// Returns a pointer to the same byte, of elements of another type.
    /// @counterpart the conversion of an `ncclSymPtr` to another type
    /// @param elements their type
    public SymmetricPointer as(ElementType elements) {
        Objects.requireNonNull(elements, "SymmetricPointer.as: elements is null");
        return new SymmetricPointer(window, byteOffset, elements);
    }

    /// Returns the caller's window from this element to the end, for loads and stores.
    /// @counterpart `ncclSymPtr::localPtr`
    /// @throws IndexOutOfBoundsException if the pointer is outside the caller's window
    /// @throws IllegalStateException if the window is closed
    public MemorySegment local() {
        return from("local", window.local(), window.communicator().rank());
    }

    /// Returns a rank's window from this element to the end, for loads and stores.
    /// @counterpart `ncclSymPtr::lsaPtr`, `ncclSymPtr::peerPtr`; outside the LSA team it throws
    /// @param team as in operations
    /// @param peer in `[0, team.size())`
    /// @throws IndexOutOfBoundsException if there is no such peer, or the pointer is outside its window
    /// @throws GinException with [GinError#NOT_CONNECTED] if the caller can't load and store the rank's memory
    /// @throws IllegalStateException if the window is closed
    public MemorySegment segment(GinTeam team, int peer) {
        MemorySegment whole = window.segment(team, peer);
        return from("segment", whole, team.toCommunicator(peer));
    }

    private MemorySegment from(String operation, MemorySegment whole, int rank) {
        if (byteOffset < 0 || byteOffset > whole.byteSize()) {
            throw new IndexOutOfBoundsException("SymmetricPointer." + operation + " on "
                    + window.communicator() + ": byte " + byteOffset + " of " + window + " of rank " + rank
                    + ", which has " + whole.byteSize() + " bytes; allowed are [0, " + whole.byteSize() + "]");
        }
        return whole.asSlice(byteOffset);
    }

    /// Returns the bytes of elements; what fits no window stays out of range.
    long bytes(long elements) {
        long most = Long.MAX_VALUE / type.byteSize();
        if (elements > most) {
            return Long.MAX_VALUE;
        }
        return elements < -most ? Long.MIN_VALUE : elements * type.byteSize();
    }

    @Override
    public String toString() {
        return type + " at byte " + byteOffset + " of " + window;
    }
}
