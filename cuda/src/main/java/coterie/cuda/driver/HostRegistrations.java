// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The pages of the host that this process has registered with the driver, which counts no second registration
/// of a page but refuses it. PEs that are threads of one process share the pages of their node's memory, so
/// equal ranges are registered once and counted; ranges that have some pages in common are refused.
///
/// Such PEs may have this module by class loaders of their own, but the driver and the addresses of the heap are
/// the process's. So the table is the process's, too: objects of the JDK, in a system property.
public final class HostRegistrations {
    private static final int FLAGS =
            DriverConstant.CU_MEMHOSTREGISTER_PORTABLE.value() | DriverConstant.CU_MEMHOSTREGISTER_DEVICEMAP.value();

    private static final String PROPERTY = "io.github.coterie.cuda.registrations";

    // Places in the words of a range.
    private static final int END = 0;
    private static final int USES = 1;

    private final LibCuda driver;

    /// The end and the uses of each range by the address of its first page. The map's monitor guards changes; calls
    /// that look for a range take no lock, since a change may wait in the driver.
    private final ConcurrentSkipListMap<Long, long[]> ranges;

    @SuppressWarnings("unchecked") // each version of this class in the process has put the same type there
    HostRegistrations(LibCuda driver) {
        this.driver = driver;
        this.ranges = (ConcurrentSkipListMap<Long, long[]>)
                System.getProperties().computeIfAbsent(PROPERTY, _ -> new ConcurrentSkipListMap<Long, long[]>());
    }

    /// Registers whole pages, or counts one more use of them. The calling thread has a context.
    ///
    /// @param start of the first page
    /// @param end of the last page
    /// @return a result of the driver; `CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED` if another range has some of
    ///     the pages
    public int register(long start, long end) {
        synchronized (ranges) {
            long @Nullable [] equal = ranges.get(start);
            if (equal != null && equal[END] == end) {
                equal[USES]++;
                return DriverConstant.CUDA_SUCCESS.value();
            }
            Map.Entry<Long, long[]> before = ranges.lowerEntry(end);
            if (before != null && before.getValue()[END] > start) {
                return DriverConstant.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED.value();
            }
            int result = driver.call(DriverFunction.MEM_HOST_REGISTER, start, end - start, FLAGS);
            if (result == DriverConstant.CUDA_SUCCESS.value()) {
                ranges.put(start, new long[] {end, 1});
            }
            return result;
        }
    }

    /// Undoes one [#register].
    ///
    /// @return a result of the driver
    public int unregister(long start) {
        synchronized (ranges) {
            long @Nullable [] range = ranges.get(start);
            if (range == null) {
                return DriverConstant.CUDA_ERROR_INVALID_VALUE.value();
            }
            if (--range[USES] > 0) {
                return DriverConstant.CUDA_SUCCESS.value();
            }
            ranges.remove(start);
            return driver.call(DriverFunction.MEM_HOST_UNREGISTER, start);
        }
    }

    /// Returns whether all bytes of a range are registered: the driver copies them beside the host.
    ///
    /// @param bytes at least 1
    public boolean contains(long address, long bytes) {
        Map.Entry<Long, long[]> range = ranges.floorEntry(address);
        return range != null && bytes <= range.getValue()[END] - address;
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
