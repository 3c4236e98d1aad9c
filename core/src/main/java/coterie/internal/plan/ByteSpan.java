// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Bytes of a buffer: of this member, or, for [direct work][DirectCopies], of another one.
///
/// @param offset of the first, at least 0
/// @param bytes length, at least 0
/// @param owner the member whose buffer it is, or [#OWN]
public record ByteSpan(PlanBuffer buffer, long offset, long bytes, int owner) {
    /// The owner of this member's own bytes.
    public static final int OWN = -1;

    /// No bytes, for messages that only notify.
    static final ByteSpan NOTHING = new ByteSpan(PlanBuffer.SCRATCH, 0, 0);

    /// @throws IllegalArgumentException if it begins before the buffer, or its length is negative, or it is another
    ///     member's scratch memory
    public ByteSpan {
        if (offset < 0 || bytes < 0 || offset + bytes < 0) {
            throw new IllegalArgumentException(
                    "span of " + bytes + " bytes from offset " + offset + " of " + buffer + ": both must be >= 0");
        }
        if (owner != OWN && buffer == PlanBuffer.SCRATCH) {
            throw new IllegalArgumentException("scratch memory of member " + owner + " is no other member's to use");
        }
    }

    /// Makes one of this member's own bytes.
    public ByteSpan(PlanBuffer buffer, long offset, long bytes) {
        this(buffer, offset, bytes, OWN);
    }

    /// Returns the same bytes of another member's buffer.
    ByteSpan of(int member) {
        return new ByteSpan(buffer, offset, bytes, member);
    }

    /// Returns whether it is this member's.
    public boolean isOwn() {
        return owner == OWN;
    }

    /// Returns some of these bytes.
    ///
    /// @param from first byte, counted from the begin of this span
    /// @param length in bytes
    public ByteSpan part(long from, long length) {
        if (from < 0 || length < 0 || from + length > bytes) {
            throw new IndexOutOfBoundsException(length + " bytes from " + from + " are outside " + this);
        }
        return new ByteSpan(buffer, offset + from, length, owner);
    }

    /// Returns whether the two have a byte in common. A plan assumes that different buffers have none.
    public boolean overlaps(ByteSpan other) {
        return buffer == other.buffer
                && owner == other.owner
                && bytes > 0
                && other.bytes > 0
                && offset < other.offset + other.bytes
                && other.offset < offset + bytes;
    }

    /// Returns for example "TARGET[8, 24)", or "TARGET[8, 24) of member 2".
    @Override
    public String toString() {
        return buffer + "[" + offset + ", " + (offset + bytes) + ")" + (isOwn() ? "" : " of member " + owner);
    }
}
