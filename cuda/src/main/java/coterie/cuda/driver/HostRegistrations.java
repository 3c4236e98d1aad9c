// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;

/// The pages of the host that this process has registered with the driver, which counts no second registration
/// of a page but refuses it. PEs that are threads of one process share the pages of their node's memory, so
/// equal ranges are registered once and counted; ranges that have some pages in common are refused.
public final class HostRegistrations {
    private static final int FLAGS =
            DriverConstant.CU_MEMHOSTREGISTER_PORTABLE.value() | DriverConstant.CU_MEMHOSTREGISTER_DEVICEMAP.value();

    private record Range(long end, int uses) {}

    private final LibCuda driver;

    /// By the address of the first page; the monitor guards it.
    private final TreeMap<Long, Range> ranges = new TreeMap<>();

    HostRegistrations(LibCuda driver) {
        this.driver = driver;
    }

    /// Registers whole pages, or counts one more use of them. The calling thread has a context.
    ///
    /// @param start of the first page
    /// @param end of the last page
    /// @return a result of the driver; `CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED` if another range has some of
    ///     the pages
    public synchronized int register(long start, long end) {
        Range equal = ranges.get(start);
        if (equal != null && equal.end == end) {
            ranges.put(start, new Range(end, equal.uses + 1));
            return DriverConstant.CUDA_SUCCESS.value();
        }
        Map.Entry<Long, Range> before = ranges.lowerEntry(end);
        if (before != null && before.getValue().end > start) {
            return DriverConstant.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED.value();
        }
        int result = driver.call(DriverFunction.MEM_HOST_REGISTER, start, end - start, FLAGS);
        if (result == DriverConstant.CUDA_SUCCESS.value()) {
            ranges.put(start, new Range(end, 1));
        }
        return result;
    }

    /// Undoes one [#register].
    ///
    /// @return a result of the driver
    public synchronized int unregister(long start) {
        Range range = ranges.get(start);
        if (range == null) {
            return DriverConstant.CUDA_ERROR_INVALID_VALUE.value();
        }
        if (range.uses > 1) {
            ranges.put(start, new Range(range.end, range.uses - 1));
            return DriverConstant.CUDA_SUCCESS.value();
        }
        ranges.remove(start);
        return driver.call(DriverFunction.MEM_HOST_UNREGISTER, start);
    }

    /// Returns how many ranges are registered.
    public synchronized int size() {
        return ranges.size();
    }

    /// Returns where the device has a registered page, or a negative result of the driver.
    public long devicePointer(long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(JAVA_LONG);
            int result = driver.call(DriverFunction.MEM_HOST_GET_DEVICE_POINTER, pointer.address(), address, 0);
            return result == DriverConstant.CUDA_SUCCESS.value() ? pointer.get(JAVA_LONG, 0) : -result;
        }
    }
}
