// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.stream.Extent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A kernel of a [CudaModule]. It ends with its module.
/// @counterpart `CUfunction`
public final class CudaKernel {
    /// Dynamic shared memory of a block that needs no permission, on every device.
    private static final int DEFAULT_SHARED_BYTES = 48 << 10;

    private final DeviceContext context;
    private final String name;
    private final long handle;
    private final int maxThreads;
    private final BooleanSupplier isClosed;

    /// Dynamic shared memory of a block that launches may ask for.
    private int allowedSharedBytes = DEFAULT_SHARED_BYTES;

    /// The bytes of each parameter; null if the driver does not tell.
    private final int @Nullable [] parameterBytes;

    /// @param isClosed whether its module is closed
    CudaKernel(DeviceContext context, String name, long handle, BooleanSupplier isClosed) {
        this.isClosed = isClosed;
        this.context = context;
        this.name = name;
        this.handle = handle;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            context.check(
                    "kernel",
                    context.driver.call(
                            DriverFunction.FUNC_GET_ATTRIBUTE,
                            value.address(),
                            DriverConstant.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK.value(),
                            handle));
            this.maxThreads = value.get(JAVA_INT, 0);
            this.parameterBytes = context.driver.has(DriverFunction.FUNC_GET_PARAM_INFO) ? parameters(arena) : null;
        }
    }

    /// Asks for one parameter after the other, until the driver refuses an index. It may also answer with an error
    /// of an earlier launch, and then it does not tell.
    private int @Nullable [] parameters(Arena arena) {
        MemorySegment place = arena.allocate(JAVA_LONG, 2);
        int[] sizes = new int[8];
        int count = 0;
        int result = parameter(0, place);
        while (result == DeviceContext.SUCCESS) {
            if (count == sizes.length) {
                sizes = Arrays.copyOf(sizes, 2 * count);
            }
            sizes[count++] = (int) place.get(JAVA_LONG, Long.BYTES);
            result = parameter(count, place);
        }
        return result == DriverConstant.CUDA_ERROR_INVALID_VALUE.value() ? Arrays.copyOf(sizes, count) : null;
    }

    private int parameter(int index, MemorySegment place) {
        return context.driver.call(
                DriverFunction.FUNC_GET_PARAM_INFO, handle, index, place.address(), place.address() + Long.BYTES);
    }

    /// Returns the name.
    public String name() {
        return name;
    }

    /// Returns how many threads a block of this kernel may have.
    public int maxThreadsPerBlock() {
        return maxThreads;
    }

    int @Nullable [] parameterBytes() {
        return parameterBytes;
    }

    /// Returns how many blocks of this kernel run at the same time on an idle device: the largest grid of a
    /// cooperative launch.
    /// @counterpart `cudaOccupancyMaxActiveBlocksPerMultiprocessor`; for the whole device
    /// @param sharedBytes bytes of dynamic shared memory of each block
    public int residentBlocks(Extent block, int sharedBytes) {
        context.checked(block, "residentBlocks", "block");
        checkOpen("residentBlocks");
        context.enter("residentBlocks");
        return resident("residentBlocks", block, sharedBytes);
    }

    private int resident(String operation, Extent block, int sharedBytes) {
        allowShared(operation, sharedBytes);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment blocks = arena.allocate(JAVA_INT);
            context.check(
                    operation,
                    context.driver.call(
                            DriverFunction.OCCUPANCY, blocks.address(), handle, block.count(), sharedBytes));
            return blocks.get(JAVA_INT, 0) * context.device.multiprocessors();
        }
    }

    void checkOwn(String operation, DeviceContext asked) {
        if (!asked.equals(context)) {
            throw asked.foreign(operation, toString());
        }
        checkOpen(operation);
    }

    private void checkOpen(String operation) {
        if (isClosed.getAsBoolean()) {
            throw new IllegalStateException(prefix(operation) + "its module is closed");
        }
    }

    /// Returns the begin of messages about a launch.
    String prefix(String operation) {
        return context.prefix(operation) + this + ": ";
    }

    /// Returns the address of this PE's part of memory that a launch passes on.
    long pointer(String operation, DeviceAddresses memory) {
        return context.own(memory, operation).devicePointer();
    }

    void checkLaunch(String operation, Extent grid, Extent block, int sharedBytes) {
        context.checked(grid, operation, "grid");
        context.checked(block, operation, "block");
        String what = context.prefix(operation) + "kernel \"" + name + "\": ";
        if (grid.x() == 0 || grid.y() == 0 || grid.z() == 0) {
            throw new IllegalArgumentException(what + "grid " + grid + " has no block");
        }
        long threads = (long) block.x() * block.y() * block.z();
        if (threads < 1 || threads > maxThreads) {
            throw new IllegalArgumentException(
                    what + "block " + block + " has " + threads + " threads; allowed are 1 … " + maxThreads);
        }
        if (sharedBytes < 0) {
            throw new IllegalArgumentException(what + sharedBytes + " bytes of shared memory; allowed: 0 or more");
        }
        allowShared(operation, sharedBytes);
    }

    /// Asks the driver to allow so much dynamic shared memory, which it must know before a launch.
    private synchronized void allowShared(String operation, int sharedBytes) {
        if (sharedBytes > allowedSharedBytes) {
            int most = CudaDevice.attribute(
                    context.driver,
                    context.deviceHandle,
                    DriverConstant.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
            if (sharedBytes > most) {
                throw new IllegalArgumentException(context.prefix(operation) + "kernel \"" + name + "\": " + sharedBytes
                        + " bytes of shared memory; a block of this device has " + most + " at most");
            }
            context.check(
                    operation,
                    context.driver.call(
                            DriverFunction.FUNC_SET_ATTRIBUTE,
                            handle,
                            DriverConstant.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.value(),
                            sharedBytes));
            allowedSharedBytes = sharedBytes;
        }
    }

    void checkCooperative(String operation, Extent grid, Extent block, int sharedBytes) {
        String what = "kernel \"" + name + "\", grid " + grid + " of blocks " + block;
        if (!context.device.hasCooperativeLaunch()) {
            throw new UnsupportedOperationException(
                    context.prefix(operation) + what + ": the device has no cooperative launch");
        }
        int fits = resident(operation, block, sharedBytes);
        if ((long) grid.x() * grid.y() * grid.z() > fits) {
            throw context.refusal(
                    operation,
                    DriverConstant.CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE.value(),
                    what + ": at most " + fits + " blocks run at the same time, on " + context.device.multiprocessors()
                            + " multiprocessors");
        }
    }

    /// Launches it. Returns a result of the driver.
    int launch(Extent grid, Extent block, int sharedBytes, long stream, long parameters, boolean isCooperative) {
        return context.driver.launch(
                isCooperative ? DriverFunction.LAUNCH_COOPERATIVE_KERNEL : DriverFunction.LAUNCH_KERNEL,
                handle,
                grid.x(),
                grid.y(),
                grid.z(),
                block.x(),
                block.y(),
                block.z(),
                sharedBytes,
                stream,
                parameters);
    }

    @Override
    public String toString() {
        return "kernel \"" + name + "\"";
    }
}
