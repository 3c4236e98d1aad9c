// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.driver.LibCuda;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A device, as the driver describes it to this process.
/// @counterpart `cudaGetDeviceProperties`
/// @param number in `[0, devices)`, as `CUDA_VISIBLE_DEVICES` numbers them for this process
/// @param name such as "NVIDIA H100 80GB HBM3"
/// @param memoryBytes bytes of its memory
/// @param major the compute capability before the point
/// @param minor the compute capability after the point
/// @param multiprocessors number of streaming multiprocessors
/// @param hasStreamWords whether streams write and wait for 64-bit words, without which [Cuda#open] refuses the
///     device
/// @param hasCooperativeLaunch whether [CudaStream#launchCooperative] works
/// @param hasHostAtomics whether atomics of the device on the host's memory are atomic for the host's processors
///     too; otherwise one side alone may update a word that both use
public record CudaDevice(
        int number,
        String name,
        long memoryBytes,
        int major,
        int minor,
        int multiprocessors,
        boolean hasStreamWords,
        boolean hasCooperativeLaunch,
        boolean hasHostAtomics) {
    private static final int NAME_BYTES = 256;

    /// Asks the driver, which has been initialised; a device that does not answer gets zeros.
    static CudaDevice of(LibCuda driver, int number, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(NAME_BYTES);
            MemorySegment bytes = arena.allocate(JAVA_LONG);
            driver.call(DriverFunction.DEVICE_GET_NAME, name.address(), NAME_BYTES, handle);
            driver.call(DriverFunction.DEVICE_TOTAL_MEM, bytes.address(), handle);
            return new CudaDevice(
                    number,
                    name.getString(0),
                    bytes.get(JAVA_LONG, 0),
                    attribute(driver, handle, DriverConstant.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                    attribute(driver, handle, DriverConstant.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
                    attribute(driver, handle, DriverConstant.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                    has(driver, handle, DriverConstant.CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS),
                    has(driver, handle, DriverConstant.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH),
                    has(driver, handle, DriverConstant.CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED));
        }
    }

    private static boolean has(LibCuda driver, int handle, DriverConstant attribute) {
        return attribute(driver, handle, attribute) != 0;
    }

    static int attribute(LibCuda driver, int handle, DriverConstant attribute) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            int result = driver.call(DriverFunction.DEVICE_GET_ATTRIBUTE, value.address(), attribute.value(), handle);
            return result == DriverConstant.CUDA_SUCCESS.value() ? value.get(JAVA_INT, 0) : 0;
        }
    }
}
