// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;

/// How the records of a class lie in memory: the components in their order, each at a multiple of its size, as a C
/// compiler lays out a `struct`, and then, also in a record inside another one, padding to a multiple of 8 bytes. No
/// serializer is involved.
///
/// ```java
/// record Best(double score, int index) {}
/// var layout = RecordLayout.of(Best.class);
/// Best best = team.allReduce(layout, (a, b) -> a.score() >= b.score() ? a : b, mine);
/// List<Best> all = team.allGather(layout, mine);
/// ```
///
/// Components are of primitive types, enums, which lie as the number of their constant in 4 bytes, and records of
/// these. A boolean has a byte, 0 or 1. Arrays of records are arrays of longs to collectives, and [#layout] serves a
/// coarray of records.
///
/// Layouts are values: those of one class are equal. Any thread may use one. Reading allocates the records.
public final class RecordLayout<R extends Record> {
    private final RecordComponents<R> components;

    private RecordLayout(RecordComponents<R> components) {
        this.components = components;
    }

    /// Returns the layout of a record class to which the caller has access, by reflection.
    ///
    /// @throws IllegalArgumentException if a component has another type, or the class is in a package that its
    ///     module does not open to Coterie; the message names it
    public static <R extends Record> RecordLayout<R> of(Class<R> type) {
        Objects.requireNonNull(type, "RecordLayout.of: type is null");
        return new RecordLayout<>(RecordComponents.of(type, null));
    }

    /// Returns the layout of a record class to which a lookup has access, whatever its module opens.
    ///
    /// @throws IllegalArgumentException as [#of(Class)], or if the lookup has no access
    public static <R extends Record> RecordLayout<R> of(Class<R> type, MethodHandles.Lookup lookup) {
        Objects.requireNonNull(type, "RecordLayout.of: type is null");
        return new RecordLayout<>(
                RecordComponents.of(type, Objects.requireNonNull(lookup, "RecordLayout.of: lookup is null")));
    }

    /// Returns the record class.
    public Class<R> type() {
        return components.type();
    }

    /// Returns the bytes of a record, a multiple of 8.
    public long byteSize() {
        return components.byteSize();
    }

    /// Returns the components' names, types and places; its bytes are [#byteSize].
    public MemoryLayout layout() {
        return components.layout();
    }

    /// Returns a record of a segment.
    ///
    /// @param index in records, from 0
    /// @throws IndexOutOfBoundsException if the segment does not hold it
    public R get(MemorySegment records, long index) {
        return components.read(records, place("get", records, index));
    }

    /// Sets a record of a segment. The bytes between components become 0.
    ///
    /// @param index in records, from 0
    /// @throws IndexOutOfBoundsException if the segment does not hold it
    public void set(MemorySegment records, long index, R value) {
        long at = place("set", records, index);
        Objects.requireNonNull(value, () -> "set of " + this + ": value is null");
        MemorySegment bytes = MemorySegment.ofArray(new long[(int) (byteSize() / Long.BYTES)]);
        components.write(bytes, 0, value); // a component that is null leaves the segment as it is
        MemorySegment.copy(bytes, 0, records, at, byteSize());
    }

    /// Returns a new segment that holds records, one after the other, for collectives on segments of
    /// [ElementType#LONG].
    ///
    /// @throws NullPointerException if a record or a component of one is null
    public MemorySegment pack(List<R> records) {
        Objects.requireNonNull(records, () -> "pack of " + this + ": records is null");
        long words = Math.multiplyExact(records.size(), byteSize() / Long.BYTES);
        MemorySegment packed = MemorySegment.ofArray(new long[Math.toIntExact(words)]);
        long at = 0;
        for (R each : records) {
            components.write(packed, at, Objects.requireNonNull(each, () -> "pack of " + this + ": a record is null"));
            at += byteSize();
        }
        return packed;
    }

    /// Returns the records of a segment.
    ///
    /// @throws IllegalArgumentException if it does not hold whole records
    public List<R> unpack(MemorySegment records) {
        Objects.requireNonNull(records, () -> "unpack of " + this + ": records is null");
        if (records.byteSize() % byteSize() != 0) {
            throw new IllegalArgumentException("unpack of " + this + ": the segment has " + records.byteSize()
                    + " bytes, which are not whole records");
        }
        @SuppressWarnings("unchecked")
        R[] unpacked = (R[]) new Record[Math.toIntExact(records.byteSize() / byteSize())];
        for (int index = 0; index < unpacked.length; index++) {
            unpacked[index] = components.read(records, index * byteSize());
        }
        return List.of(unpacked);
    }

    private long place(String operation, MemorySegment records, long index) {
        Objects.requireNonNull(records, () -> operation + " of " + this + ": records is null");
        long held = records.byteSize() / byteSize();
        if (index < 0 || index >= held) {
            throw new IndexOutOfBoundsException(
                    operation + " of " + this + ": record " + index + " is outside [0, " + held + ") of the segment");
        }
        return index * byteSize();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordLayout<?> its && its.type() == type();
    }

    @Override
    public int hashCode() {
        return type().hashCode();
    }

    /// Returns the record's name, its components and its size, such as "Best(double score, int index) of 16 bytes".
    @Override
    public String toString() {
        return components + " of " + byteSize() + " bytes";
    }
}
