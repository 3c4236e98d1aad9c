// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import java.util.List;
import java.util.stream.LongStream;

/// An argument of the device headers' functions: its number in `bad_arguments.cu`, a value that is right, and values
/// that are not.
enum KernelArgument {
    MEMORY(0, 1, DeviceError.BAD_MEMORY, -1, Integer.MAX_VALUE),
    OFFSET(1, 4096, DeviceError.BAD_RANGE, KernelArgument.BYTES + 8, -8),
    ELEMENT_OFFSET(1, 4096, DeviceError.MISALIGNED, 4098),
    LENGTH(2, 8, DeviceError.BAD_RANGE, -1, KernelArgument.BYTES - 2047),
    PE(3, 0, DeviceError.BAD_PE, -1, 1),
    SIGNAL_MEMORY(4, 1, DeviceError.BAD_MEMORY, -1, Integer.MAX_VALUE),
    SIGNAL_OFFSET(5, 8192, DeviceError.BAD_RANGE, KernelArgument.BYTES, -8),
    SIGNAL_PLACE(5, 8192, DeviceError.MISALIGNED, 8196),
    OPERATION(6, 2, DeviceError.BAD_OPERATION, 0, 3, -1, -0x7fffffff),
    COMPARISON(7, 3, DeviceError.BAD_COMPARISON, -1, 6),
    BARRIER(8, 0, DeviceError.BAD_INDEX, -1, KernelArgument.BARRIERS),
    POINTER(9, 1, DeviceError.BAD_POINTER, 0),
    FROM_MEMORY(10, 1, DeviceError.BAD_MEMORY, -1, Integer.MAX_VALUE),
    FROM_OFFSET(11, 2048, DeviceError.BAD_RANGE, KernelArgument.BYTES + 8, -8),
    SIGNAL(12, 1, DeviceError.BAD_INDEX, -1, KernelArgument.NUMBERS),
    COUNTER(13, 1, DeviceError.BAD_INDEX, -1, KernelArgument.NUMBERS),
    CONTEXT(14, 1, DeviceError.BAD_INDEX, -1, KernelArgument.CONTEXTS),
    SIGNAL_BITS(15, 56, DeviceError.BAD_BITS, 0, -1, 65, Integer.MIN_VALUE),
    COUNTER_BITS(15, 56, DeviceError.BAD_BITS, 0, -1, 57, Integer.MIN_VALUE),
    FACTOR(16, 1, DeviceError.BAD_PE, 0, -1, 2),
    FENCE(17, 1, DeviceError.BAD_INDEX, -1, 4),
    TICKET(18, 0, DeviceError.BAD_INDEX, 1L << 40, -1),
    FAR_STRIDE(19, 3, DeviceError.BAD_STRIDE, 0),
    FAR_REACH(19, 3, DeviceError.BAD_RANGE, -1, 1L << 61, KernelArgument.BYTES),
    NEAR_STRIDE(20, 2, DeviceError.BAD_STRIDE, 0),
    ELEMENTS(21, 4, DeviceError.BAD_RANGE, -1, 1L << 61, KernelArgument.BYTES / 8),
    WORDS(22, 3, DeviceError.BAD_RANGE, -1, 1L << 61, KernelArgument.BYTES / 8),
    PLACES(23, 1, DeviceError.BAD_COUNT, 0, -1),
    FLAGS(24, 3, DeviceError.BAD_INDEX, 4, -1),
    SLOT(25, 1, DeviceError.BAD_INDEX, -1, 2);

    /// Bytes of a block.
    static final long BYTES = 1 << 20;

    // What the team has: barriers, contexts, and signals and counters of each.
    static final int BARRIERS = 2;
    static final int CONTEXTS = 2;
    static final int NUMBERS = 4;

    /// How many the kernel takes.
    static final int COUNT = 26;

    final int place;
    final long right;
    final DeviceError error;

    @SuppressWarnings("ImmutableEnumChecker") // the list is not changed
    final List<Long> wrong;

    KernelArgument(int place, long right, DeviceError error, long... wrong) {
        this.place = place;
        this.right = right;
        this.error = error;
        this.wrong = LongStream.of(wrong).boxed().toList();
    }
}
