// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Bfloat16;
import coterie.ElementType;
import coterie.Float8;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The element that a [WorkStream#get(coterie.ElementView, long, int)] fetches: not there before the operation has
/// run.
/// @counterpart the result of `nvshmemx_TYPE_g_on_stream`, which C returns before it exists
public final class StreamValue {
    private final StreamLane lane;
    private final long end;
    private final ElementType type;
    private final MemorySegment element = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private volatile boolean isDone;

    StreamValue(StreamLane lane, ElementType type) {
        this.lane = lane;
        this.end = lane.position() + 1;
        this.type = type;
    }

    MemorySegment element() {
        return element;
    }

    void complete() {
        isDone = true;
    }

    /// Returns whether the value is there. Advances the PE.
    ///
    /// @throws StreamException if the operation, or an earlier one of its stream, has failed
    public boolean isDone() {
        lane.engine().poll();
        if (!isDone) {
            lane.checkFailure("isDone of a value", end);
        }
        return isDone;
    }

    private void await() {
        if (!isDone) {
            lane.engine().awaitCompletion(lane, end, "get of a value");
            lane.checkFailure("get of a value", end);
        }
        lane.observe(end);
    }

    /// Waits for the value and returns it: an integer as its view reads it, a floating-point number rounded
    /// towards zero.
    ///
    /// @throws StreamException as [#isDone], or with [StreamError#SELF_WAIT] in a host function
    public long asLong() {
        await();
        return integer(type, element);
    }

    /// Reads the first element of a segment as an integer.
    static long integer(ElementType type, MemorySegment element) {
        return switch (type) {
            case BYTE -> element.get(ValueLayout.JAVA_BYTE, 0);
            case UNSIGNED_BYTE -> Byte.toUnsignedLong(element.get(ValueLayout.JAVA_BYTE, 0));
            case SHORT -> element.get(ValueLayout.JAVA_SHORT, 0);
            case UNSIGNED_SHORT -> Short.toUnsignedLong(element.get(ValueLayout.JAVA_SHORT, 0));
            case INT -> element.get(ValueLayout.JAVA_INT, 0);
            case UNSIGNED_INT -> Integer.toUnsignedLong(element.get(ValueLayout.JAVA_INT, 0));
            case LONG, UNSIGNED_LONG -> element.get(ValueLayout.JAVA_LONG, 0);
            case FLOAT -> (long) element.get(ValueLayout.JAVA_FLOAT, 0);
            case DOUBLE -> (long) element.get(ValueLayout.JAVA_DOUBLE, 0);
            case HALF -> (long) Float.float16ToFloat(element.get(ValueLayout.JAVA_SHORT, 0));
            case BFLOAT16 -> (long) Bfloat16.toFloat(element.get(ValueLayout.JAVA_SHORT, 0));
            case FLOAT8_E4M3 -> (long) Float8.fromE4m3(element.get(ValueLayout.JAVA_BYTE, 0));
            case FLOAT8_E5M2 -> (long) Float8.fromE5m2(element.get(ValueLayout.JAVA_BYTE, 0));
        };
    }

    /// Waits for the value and returns it as a `double`.
    ///
    /// @throws StreamException as [#asLong]
    public double asDouble() {
        await();
        return switch (type) {
            case FLOAT -> element.get(ValueLayout.JAVA_FLOAT, 0);
            case DOUBLE -> element.get(ValueLayout.JAVA_DOUBLE, 0);
            case HALF -> Float.float16ToFloat(element.get(ValueLayout.JAVA_SHORT, 0));
            case BFLOAT16 -> Bfloat16.toFloat(element.get(ValueLayout.JAVA_SHORT, 0));
            case FLOAT8_E4M3 -> Float8.fromE4m3(element.get(ValueLayout.JAVA_BYTE, 0));
            case FLOAT8_E5M2 -> Float8.fromE5m2(element.get(ValueLayout.JAVA_BYTE, 0));
            default -> asLong();
        };
    }

    @Override
    public String toString() {
        return type + " of stream \"" + lane.name + "\"" + (isDone ? "" : ", not there yet");
    }
}
