// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a [RecordLayout] knows of its class: how to take records apart, and how to make them.
///
/// @param maker takes an array of the components' values
record RecordComponents<R extends Record>(
        Class<R> type, List<Component> list, MethodHandle maker, MemoryLayout layout) {

    /// A component, at an offset in bytes.
    ///
    /// @param reader returns its value of a record
    /// @param nested of a component that is a record
    private record Component(
            String name,
            Class<?> type,
            long offset,
            MethodHandle reader,
            @Nullable RecordComponents<?> nested) {}

    /// @param lookup null for reflection
    static <R extends Record> RecordComponents<R> of(Class<R> type, MethodHandles.@Nullable Lookup lookup) {
        return of(type, lookup, List.of());
    }

    /// @param outer the classes of the records around it, of which none can be inside it
    private static <R extends Record> RecordComponents<R> of(
            Class<R> type, MethodHandles.@Nullable Lookup lookup, List<Class<?>> outer) {
        List<Class<?>> inside = new ArrayList<>(outer);
        inside.add(type);
        RecordComponent[] declared = type.getRecordComponents();
        if (declared == null || declared.length == 0) {
            throw new IllegalArgumentException("layout of " + type.getName() + ": it has no components");
        }
        List<Component> found = new ArrayList<>();
        List<MemoryLayout> members = new ArrayList<>();
        long at = 0;
        for (RecordComponent each : declared) {
            boolean isRecord = each.getType().isRecord() && !inside.contains(each.getType());
            RecordComponents<?> nested = isRecord ? of(each.getType().asSubclass(Record.class), lookup, inside) : null;
            MemoryLayout member = nested == null ? value(type, each) : nested.layout;
            long gap = -at & member.byteAlignment() - 1;
            if (gap > 0) {
                members.add(MemoryLayout.paddingLayout(gap));
            }
            at += gap;
            members.add(member.withName(each.getName()));
            found.add(new Component(each.getName(), each.getType(), at, reader(type, each, lookup), nested));
            at += member.byteSize();
        }
        long gap = -at & Long.BYTES - 1;
        if (gap > 0) {
            members.add(MemoryLayout.paddingLayout(gap));
        }
        MemoryLayout layout =
                MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new)).withName(type.getSimpleName());
        return new RecordComponents<>(type, List.copyOf(found), maker(type, declared, lookup), layout);
    }

    private static MemoryLayout value(Class<?> owner, RecordComponent component) {
        Class<?> type = component.getType();
        if (type.isEnum() || type == int.class) {
            return ValueLayout.JAVA_INT;
        } else if (type == boolean.class || type == byte.class) {
            return ValueLayout.JAVA_BYTE;
        } else if (type == short.class) {
            return ValueLayout.JAVA_SHORT;
        } else if (type == char.class) {
            return ValueLayout.JAVA_CHAR;
        } else if (type == float.class) {
            return ValueLayout.JAVA_FLOAT;
        } else if (type == long.class) {
            return ValueLayout.JAVA_LONG;
        } else if (type == double.class) {
            return ValueLayout.JAVA_DOUBLE;
        }
        throw new IllegalArgumentException("layout of " + owner.getName() + ": component " + component.getName()
                + " is a " + type.getTypeName() + "; allowed are primitive types, enums, and records of these");
    }

    private static MethodHandle reader(
            Class<?> owner, RecordComponent component, MethodHandles.@Nullable Lookup lookup) {
        Method accessor = component.getAccessor();
        try {
            if (lookup == null) {
                accessor.setAccessible(true);
                return MethodHandles.lookup().unreflect(accessor);
            }
            return lookup.unreflect(accessor);
        } catch (IllegalAccessException | InaccessibleObjectException e) {
            throw inaccessible(owner, e);
        }
    }

    private static MethodHandle maker(
            Class<?> owner, RecordComponent[] components, MethodHandles.@Nullable Lookup lookup) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> canonical = owner.getDeclaredConstructor(types);
            if (lookup == null) {
                canonical.setAccessible(true);
            }
            return (lookup == null ? MethodHandles.lookup() : lookup)
                    .unreflectConstructor(canonical)
                    .asSpreader(Object[].class, types.length);
        } catch (IllegalAccessException | InaccessibleObjectException e) {
            throw inaccessible(owner, e);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e); // each record has it
        }
    }

    private static IllegalArgumentException inaccessible(Class<?> owner, Exception cause) {
        return new IllegalArgumentException(
                "layout of " + owner.getName() + ": no access to its components and constructor; pass a lookup of its"
                        + " module, or open its package to module coterie",
                cause);
    }

    long byteSize() {
        return layout.byteSize();
    }

    /// Returns the record at an offset.
    R read(MemorySegment bytes, long at) {
        Object[] values = new Object[list.size()];
        for (int index = 0; index < values.length; index++) {
            Component each = list.get(index);
            values[index] = value(each, bytes, at + each.offset);
        }
        return Objects.requireNonNull(type.cast(invoked(() -> maker.invoke(values))));
    }

    private static Object value(Component component, MemorySegment bytes, long at) {
        Class<?> its = component.type;
        if (component.nested != null) {
            return component.nested.read(bytes, at);
        } else if (its.isEnum()) {
            return constant(its, bytes.get(ValueLayout.JAVA_INT_UNALIGNED, at));
        } else if (its == int.class) {
            return bytes.get(ValueLayout.JAVA_INT_UNALIGNED, at);
        } else if (its == long.class) {
            return bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        } else if (its == double.class) {
            return bytes.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
        } else if (its == float.class) {
            return bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
        } else if (its == short.class) {
            return bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
        } else if (its == char.class) {
            return bytes.get(ValueLayout.JAVA_CHAR_UNALIGNED, at);
        }
        byte bits = bytes.get(ValueLayout.JAVA_BYTE, at);
        return its == boolean.class ? (Object) (bits != 0) : (Object) bits;
    }

    private static Object constant(Class<?> type, int number) {
        Object[] constants = type.getEnumConstants();
        if (number < 0 || number >= constants.length) {
            throw new IllegalArgumentException(
                    "constant " + number + " of " + type.getName() + " is outside [0, " + constants.length + ")");
        }
        return constants[number];
    }

    /// Writes a record at an offset, and nothing between its components.
    ///
    /// @throws NullPointerException if a component is null
    void write(MemorySegment bytes, long at, Record value) {
        for (Component each : list) {
            Object its = invoked(() -> each.reader.invoke(value));
            if (its == null) {
                throw new NullPointerException(this + ": component " + each.name + " is null");
            }
            write(each, bytes, at + each.offset, its);
        }
    }

    private static void write(Component component, MemorySegment bytes, long at, Object value) {
        switch (value) {
            case Record its when component.nested != null -> component.nested.write(bytes, at, its);
            case Enum<?> its -> bytes.set(ValueLayout.JAVA_INT_UNALIGNED, at, its.ordinal());
            case Integer its -> bytes.set(ValueLayout.JAVA_INT_UNALIGNED, at, its);
            case Long its -> bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, at, its);
            case Double its -> bytes.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, its);
            case Float its -> bytes.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, its);
            case Short its -> bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, its);
            case Character its -> bytes.set(ValueLayout.JAVA_CHAR_UNALIGNED, at, its);
            case Byte its -> bytes.set(ValueLayout.JAVA_BYTE, at, its);
            case Boolean its -> bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (its ? 1 : 0));
            default -> throw new AssertionError(component);
        }
    }

    /// Something that a record does.
    private interface Invocation {
        @Nullable
        Object run() throws Throwable;
    }

    /// Runs it. What a constructor or an accessor throws is the caller's, as it is.
    private static @Nullable Object invoked(Invocation invocation) {
        try {
            return invocation.run();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e); // neither may declare a checked exception
        }
    }

    /// Returns the name and the components, such as "Best(double score, int index)".
    @Override
    public String toString() {
        return list.stream()
                .map(each -> each.type.getSimpleName() + " " + each.name)
                .collect(Collectors.joining(", ", type.getSimpleName() + "(", ")"));
    }
}
