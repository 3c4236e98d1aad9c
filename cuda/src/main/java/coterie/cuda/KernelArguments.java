// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The arguments of one launch in native memory: their values, and an array of the addresses of these. The driver
/// copies them in its call, so that a stream has one object for all launches. The stream's lock guards it.
final class KernelArguments {
    private static final long ALIGNMENT = 16;

    private MemorySegment addresses = allocate(16 * Long.BYTES);
    private MemorySegment values = allocate(256);
    private long used;

    private static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, ALIGNMENT);
    }

    /// Sets the arguments, and returns the address of the array of addresses.
    ///
    /// @throws IllegalArgumentException if the kernel has other parameters
    long set(String operation, CudaKernel kernel, Object... arguments) {
        int @Nullable [] sizes = kernel.parameterBytes();
        if (sizes != null && sizes.length != arguments.length) {
            throw new IllegalArgumentException(
                    kernel.prefix(operation) + arguments.length + " arguments for " + sizes.length + " parameters");
        }
        reserve(arguments);
        used = 0;
        for (int i = 0; i < arguments.length; i++) {
            long at = used;
            long bytes = set(operation, kernel, i, arguments[i]);
            if (sizes != null && sizes[i] != bytes) {
                throw new IllegalArgumentException(kernel.prefix(operation) + "argument " + i + " is a "
                        + arguments[i].getClass().getSimpleName() + " of " + bytes + " bytes for a parameter of "
                        + sizes[i] + " bytes");
            }
            addresses.setAtIndex(JAVA_LONG, i, values.address() + at);
            used = at + bytes + ALIGNMENT - 1 & -ALIGNMENT;
        }
        return addresses.address();
    }

    private void reserve(Object... arguments) {
        long bytes = 0;
        for (Object each : arguments) {
            bytes += each instanceof MemorySegment structure ? structure.byteSize() + ALIGNMENT : ALIGNMENT;
        }
        if (bytes > values.byteSize()) {
            values = allocate(2 * bytes);
        }
        if ((long) arguments.length * Long.BYTES > addresses.byteSize()) {
            addresses = allocate(2L * arguments.length * Long.BYTES);
        }
    }

    /// Sets one argument, and returns its bytes.
    private long set(String operation, CudaKernel kernel, int number, Object argument) {
        return switch (argument) {
            case Long word -> {
                values.set(JAVA_LONG, used, word);
                yield Long.BYTES;
            }
            case Integer word -> {
                values.set(JAVA_INT, used, word);
                yield Integer.BYTES;
            }
            case Float word -> {
                values.set(JAVA_FLOAT, used, word);
                yield Float.BYTES;
            }
            case Double word -> {
                values.set(JAVA_DOUBLE, used, word);
                yield Double.BYTES;
            }
            case Short word -> {
                values.set(JAVA_SHORT, used, word);
                yield Short.BYTES;
            }
            case Character word -> {
                values.set(JAVA_CHAR, used, word);
                yield Character.BYTES;
            }
            case Byte word -> {
                values.set(JAVA_BYTE, used, word);
                yield Byte.BYTES;
            }
            case Boolean word -> {
                values.set(JAVA_BYTE, used, (byte) (word ? 1 : 0));
                yield Byte.BYTES;
            }
            case DeviceAddresses memory -> {
                values.set(JAVA_LONG, used, kernel.pointer(operation, memory));
                yield Long.BYTES;
            }
            case MemorySegment structure -> {
                MemorySegment.copy(structure, 0, values, used, structure.byteSize());
                yield structure.byteSize();
            }
            default ->
                throw new IllegalArgumentException(kernel.prefix(operation) + "argument " + number + " is a "
                        + argument.getClass().getName()
                        + "; allowed are numbers, Boolean, Character, DeviceAddresses, and a MemorySegment for a"
                        + " structure");
        };
    }
}
