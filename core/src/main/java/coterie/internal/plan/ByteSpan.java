// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Bytes of a buffer.
///
/// @param offset of the first, at least 0
/// @param bytes how many, at least 0
public record ByteSpan(PlanBuffer buffer, long offset, long bytes) {
    /// No bytes, for messages that only tell.
    static final ByteSpan NOTHING = new ByteSpan(PlanBuffer.SCRATCH, 0, 0);

    /// @throws IllegalArgumentException if it begins before the buffer, or its length is negative
    public ByteSpan {
        if (offset < 0 || bytes < 0 || offset + bytes < 0) {
            throw new IllegalArgumentException(
                    "span of " + bytes + " bytes from " + offset + " of " + buffer + " is none: both are at least 0");
        }
    }

    /// Some of these bytes.
    ///
    /// @param from first byte, counted from mine
    /// @param length how many
    public ByteSpan part(long from, long length) {
        if (from < 0 || length < 0 || from + length > bytes) {
            throw new IndexOutOfBoundsException(length + " bytes from " + from + " leave " + this);
        }
        return new ByteSpan(buffer, offset + from, length);
    }

    /// Whether the two have a byte in common. Different buffers have none, for all that a plan can know.
    public boolean overlaps(ByteSpan other) {
        return buffer == other.buffer
                && bytes > 0
                && other.bytes > 0
                && offset < other.offset + other.bytes
                && other.offset < offset + bytes;
    }

    /// For people: "TARGET[8, 24)".
    @Override
    public String toString() {
        return buffer + "[" + offset + ", " + (offset + bytes) + ")";
    }
}
