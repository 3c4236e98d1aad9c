// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static coterie.cuda.device.DeviceLayouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Comparison;
import coterie.cuda.DeviceError;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Reads the error record of a team's kernels.
final class DeviceErrors {
    private static final Comparison[] COMPARISONS = Comparison.values();

    private DeviceErrors() {}

    /// Returns which error the record has, or empty.
    static Optional<DeviceError> error(MemorySegment record) {
        long code = RingLayout.acquire(record, offset(DeviceLayouts.ERROR, "code"));
        return code == 0 ? Optional.empty() : Optional.of(DeviceError.of(code));
    }

    /// Returns the operation, its arguments, and what was wrong with them.
    static String describe(MemorySegment record, DeviceError error) {
        long operation = field(record, "operation");
        long found = field(record, "found");
        long expected = field(record, "expected");
        String where = RingLayout.name(operation) + " of a kernel (block " + field(record, "memory") + ", offset "
                + Long.toUnsignedString(field(record, "offset")) + ", PE " + field(record, "pe") + ")";
        return where + ": "
                + switch (error) {
                    case BAD_PE -> "PE " + found + " is outside [0, " + expected + ")";
                    case BAD_MEMORY -> "block " + found + " is outside [0, " + expected + ")";
                    case BAD_RANGE ->
                        Long.toUnsignedString(field(record, "bytes")) + " bytes from offset "
                                + Long.toUnsignedString(found) + " leave the block of " + expected + " bytes";
                    case MISALIGNED -> "offset " + found + " is no multiple of " + expected;
                    case UNREACHABLE ->
                        "this device does not map the PE's device memory, or has no atomics on it, and the ring reaches"
                                + " host memory alone; use a block of symmetric host memory";
                    case TIMEOUT -> "the timeout has passed; " + progress(record, operation, found, expected);
                    case ABORTED -> "the host has aborted the kernels; " + progress(record, operation, found, expected);
                    case BAD_INDEX -> "index " + found + " is outside [0, " + expected + ")";
                    case BAD_OPERATION ->
                        "operation " + found + " on a signal is neither " + RingLayout.SIGNAL_SET + " (set) nor "
                                + RingLayout.SIGNAL_ADD + " (add)";
                    case BAD_COMPARISON -> "comparison " + found + " is outside [0, " + COMPARISONS.length + ")";
                    case BAD_BITS -> found + " bits; allowed are [1, " + expected + "]";
                    case BAD_POINTER -> "null for the address of " + field(record, "bytes") + " bytes";
                    case BAD_COUNT -> found + " places; a reduction has at least 1 source and at least 1 target";
                    case BAD_STRIDE -> "a stride is 0; strides are elements, from 1 on";
                };
    }

    private static String progress(MemorySegment record, long operation, long found, long expected) {
        long detail = field(record, "bytes");
        return switch ((int) operation) {
            case RingLayout.SIGNAL_WAIT, RingLayout.BARRIER ->
                "the word is " + Long.toUnsignedString(found) + ", waited for " + comparison(detail) + " "
                        + Long.toUnsignedString(expected);
            case RingLayout.COUNT ->
                "counter " + field(record, "offset") + " is " + Long.toUnsignedString(found) + ", waited for "
                        + comparison(detail) + " " + Long.toUnsignedString(expected);
            case RingLayout.RING_SPACE ->
                "the host has freed " + found + " of the " + expected + " slots that it must; the ring has " + detail;
            default ->
                "the host has completed " + found + " operations of the ring, waited for " + expected + ", a "
                        + RingLayout.name(detail);
        };
    }

    private static String comparison(long code) {
        return code >= 0 && code < COMPARISONS.length ? COMPARISONS[(int) code].name() : "comparison " + code;
    }

    private static long field(MemorySegment record, String name) {
        return record.get(JAVA_LONG, offset(DeviceLayouts.ERROR, name));
    }
}
