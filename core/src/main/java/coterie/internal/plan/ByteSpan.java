// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Bytes of a buffer.
///
/// @param offset of the first, at least 0
/// @param bytes length, at least 0
public record ByteSpan(PlanBuffer buffer, long offset, long bytes) {
    /// No bytes, for messages that only notify.
    static final ByteSpan NOTHING = new ByteSpan(PlanBuffer.SCRATCH, 0, 0);

    /// @throws IllegalArgumentException if it begins before the buffer, or its length is negative
    public ByteSpan {
        if (offset < 0 || bytes < 0 || offset + bytes < 0) {
            throw new IllegalArgumentException(
                    "span of " + bytes + " bytes from offset " + offset + " of " + buffer + ": both must be >= 0");
        }
    }

    /// Returns some of these bytes.
    ///
    /// @param from first byte, counted from the begin of this span
    /// @param length in bytes
    public ByteSpan part(long from, long length) {
        if (from < 0 || length < 0 || from + length > bytes) {
            throw new IndexOutOfBoundsException(length + " bytes from " + from + " are outside " + this);
        }
        return new ByteSpan(buffer, offset + from, length);
    }

    /// Returns whether the two have a byte in common. A plan assumes that different buffers have none.
    public boolean overlaps(ByteSpan other) {
        return buffer == other.buffer
                && bytes > 0
                && other.bytes > 0
                && offset < other.offset + other.bytes
                && other.offset < offset + bytes;
    }

    /// Returns for example "TARGET[8, 24)".
    @Override
    public String toString() {
        return buffer + "[" + offset + ", " + (offset + bytes) + ")";
    }
}
