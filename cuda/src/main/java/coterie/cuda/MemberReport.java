// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CollectiveMismatchException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a member tells the others in an agreeing collective of this module, 512 bytes:
///
/// ```
///  byte 0  outcome      8  bytes asked   16  process      24  pointer   32  device   36  code   40  PE
///      44  text bytes  48  handle       112  error bytes 128  text      384  data, or more of the text
/// ```
final class MemberReport {
    static final int BYTES = 512;

    private static final long OUTCOME = 0;
    private static final long ASKED = 8;
    private static final long PROCESS = 16;
    private static final long POINTER = 24;
    private static final long DEVICE = 32;
    private static final long CODE = 36;
    private static final long PE = 40;
    private static final long TEXT_BYTES = 44;
    private static final long HANDLE = 48;
    private static final int HANDLE_BYTES = 64;
    private static final long ERROR_BYTES = 112;
    private static final long TEXT = 128;
    private static final long DATA = 384;

    private final MemorySegment bytes;

    /// @param bytes [#BYTES] of symmetric memory, or of a copy of it
    MemberReport(MemorySegment bytes) {
        this.bytes = bytes;
    }

    /// What a member has found, in the order in which all members report it: misuse first.
    enum Outcome {
        GOOD,
        ILLEGAL_ARGUMENT,
        DRIVER_ERROR,
        FAILED
    }

    void good(long asked, long process, int device) {
        bytes.fill((byte) 0);
        bytes.set(JAVA_LONG, ASKED, asked);
        bytes.set(JAVA_LONG, PROCESS, process);
        bytes.set(JAVA_INT, DEVICE, device);
    }

    void memory(long pointer) {
        bytes.set(JAVA_LONG, POINTER, pointer);
    }

    /// Returns where the driver writes the handle of the member's memory.
    MemorySegment handle() {
        return bytes.asSlice(HANDLE, HANDLE_BYTES);
    }

    /// Reports that the driver makes no handle, with its result, beside [Outcome#GOOD].
    void withoutHandle(int result) {
        bytes.set(JAVA_INT, CODE, result);
    }

    /// Returns 8 numbers for an operation without a handle.
    MemorySegment numbers() {
        return handle();
    }

    /// Returns 128 bytes for an operation, which a failure overwrites.
    MemorySegment data() {
        return bytes.asSlice(DATA, BYTES - DATA);
    }

    /// Sets a text in place of the data: its first bytes, if it is longer.
    void dataText(String words) {
        byte[] text = words.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(text, 0, bytes, JAVA_BYTE, DATA, (int) Math.min(text.length, BYTES - DATA - 1));
    }

    /// Returns the text of [#dataText].
    String dataText() {
        return data().getString(0);
    }

    /// Sets a text that goes with [Outcome#GOOD].
    void note(String note) {
        text(note, DATA);
    }

    /// Returns the text of [#note].
    String note() {
        return new String(
                bytes.asSlice(TEXT, bytes.get(JAVA_INT, TEXT_BYTES)).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }

    private void text(String words, long end) {
        byte[] text = words.getBytes(StandardCharsets.UTF_8);
        int length = (int) Math.min(text.length, end - TEXT);
        MemorySegment.copy(text, 0, bytes, JAVA_BYTE, TEXT, length);
        bytes.set(JAVA_INT, TEXT_BYTES, length);
    }

    /// Reports an exception of this member.
    void failed(RuntimeException cause, int pe) {
        String error = "";
        Outcome outcome = cause instanceof IllegalArgumentException ? Outcome.ILLEGAL_ARGUMENT : Outcome.FAILED;
        if (cause instanceof CudaException driver) {
            outcome = Outcome.DRIVER_ERROR;
            error = driver.error();
            bytes.set(JAVA_INT, CODE, driver.code());
        }
        bytes.set(JAVA_LONG, OUTCOME, outcome.ordinal());
        bytes.set(JAVA_INT, PE, pe);
        text(error + cause.getMessage(), BYTES);
        bytes.set(JAVA_INT, ERROR_BYTES, error.length());
    }

    Outcome outcome() {
        return Outcome.values()[(int) bytes.get(JAVA_LONG, OUTCOME)];
    }

    long asked() {
        return bytes.get(JAVA_LONG, ASKED);
    }

    long process() {
        return bytes.get(JAVA_LONG, PROCESS);
    }

    long pointer() {
        return bytes.get(JAVA_LONG, POINTER);
    }

    /// Returns the driver's result, of [#withoutHandle] or of a failure; 0 if all is well.
    int code() {
        return bytes.get(JAVA_INT, CODE);
    }

    int device() {
        return bytes.get(JAVA_INT, DEVICE);
    }

    /// Returns the exception that a member has reported, the same on all members.
    private RuntimeException toException(String operation) {
        String text = note();
        int split = bytes.get(JAVA_INT, ERROR_BYTES);
        String message = text.substring(split);
        return switch (outcome()) {
            case ILLEGAL_ARGUMENT -> new IllegalArgumentException(message);
            case DRIVER_ERROR ->
                new CudaException(
                        new CudaException.Failure(
                                operation, bytes.get(JAVA_INT, PE), device(), code(), text.substring(0, split), false),
                        message);
            case GOOD, FAILED -> new IllegalStateException(message);
        };
    }

    /// Returns what all members throw after a round, or null if all go on.
    static @Nullable RuntimeException verdict(String operation, String team, MemberReport[] reports) {
        MemberReport first = Arrays.stream(reports)
                .filter(report -> report.outcome() != Outcome.GOOD)
                .min((one, other) -> one.outcome().compareTo(other.outcome()))
                .orElse(null);
        boolean isMisuse = first != null && first.outcome() == Outcome.ILLEGAL_ARGUMENT;
        if (first != null && isMisuse) {
            return first.toException(operation);
        }
        long asked = reports[0].asked();
        if (Arrays.stream(reports).anyMatch(report -> report.asked() != asked)) {
            return new CollectiveMismatchException(operation + " on team \"" + team
                    + "\": members ask for different numbers of bytes: "
                    + Arrays.stream(reports)
                            .map(report -> Long.toString(report.asked()))
                            .toList());
        }
        return first == null ? null : first.toException(operation);
    }
}
