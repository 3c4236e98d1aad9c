// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.driver.LibCuda;
import coterie.cuda.nvrtc.LibNvrtc;
import coterie.layer.Field;
import coterie.spi.Accelerator;
import coterie.spi.SettingsProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/// Tells the command-line tools what this module finds on a machine: the driver, its devices, the compiler. Declares
/// the settings of this module, too.
public final class CudaAccelerator implements Accelerator, SettingsProvider {
    private record Feature(String name, DriverConstant attribute) {}

    /// What a report of a fault should tell of a device, besides [CudaDevice].
    private static final List<Feature> FEATURES = List.of(
            new Feature("registered host memory", DriverConstant.CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED),
            new Feature("flushes of remote writes", DriverConstant.CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES),
            new Feature(
                    "virtual memory management",
                    DriverConstant.CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
            new Feature(
                    "file handles of memory",
                    DriverConstant.CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED),
            new Feature("events between processes", DriverConstant.CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED));

    /// For the service loader.
    public CudaAccelerator() {}

    @Override
    public List<Field> settings() {
        return List.of(
                new Field("CUDA_LIBRARY", "", "file or name of the CUDA driver's library; empty: libcuda.so.1"),
                new Field(
                        "NVRTC_LIBRARY",
                        "",
                        "file or name of the library that compiles CUDA kernels; empty: libnvrtc.so.13, .12 or without a number, then these in lib64 of CUDA_HOME"),
                new Field(
                        "CUDA_COLLECTIVES",
                        "auto",
                        "what does collectives over device memory: nccl, kernels of Coterie, the host, or auto for the first of these that all members have"),
                new Field(
                        "NCCL_LIBRARY",
                        "",
                        "file or name of NCCL, the library of collectives between GPUs; empty: libnccl.so.2"));
    }

    @Override
    public String name() {
        return "cuda";
    }

    @Override
    public String missing(UnaryOperator<String> settings) {
        String library = settings.apply("CUDA_LIBRARY");
        String missing = LibCuda.missing(library);
        return missing.isEmpty() ? missing(LibCuda.get(library)) : missing;
    }

    /// Returns what a driver lacks; an empty string if it has a device.
    static String missing(LibCuda driver) {
        int result = driver.call(DriverFunction.INIT, 0);
        if (result != DeviceContext.SUCCESS) {
            return "the driver does not start: " + driver.name(result) + ", " + driver.explanation(result)
                    + "; look at nvidia-smi, and restart the container or the machine if it fails, too";
        }
        return devices(driver) > 0 ? "" : "the driver sees no device; look at nvidia-smi and CUDA_VISIBLE_DEVICES";
    }

    private static int devices(LibCuda driver) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            int result = driver.call(DriverFunction.DEVICE_GET_COUNT, count.address());
            return result == DeviceContext.SUCCESS ? count.get(JAVA_INT, 0) : 0;
        }
    }

    @Override
    public String description(UnaryOperator<String> settings) {
        LibCuda driver = LibCuda.get(settings.apply("CUDA_LIBRARY"));
        String compiler = LibNvrtc.nameFor(driver, settings.apply("NVRTC_LIBRARY"));
        String missing = LibNvrtc.missing(compiler);
        return description(driver)
                + (missing.isEmpty()
                        ? "; kernels are compiled by NVRTC "
                                + LibNvrtc.get(compiler).version()
                        : "; no compiler for sources of kernels: " + missing);
    }

    private static String features(LibCuda driver, int device) {
        StringBuilder features = new StringBuilder();
        for (Feature each : FEATURES) {
            features.append(", ")
                    .append(each.name)
                    .append(CudaDevice.attribute(driver, device, each.attribute) != 0 ? " yes" : " no");
        }
        return features.toString();
    }

    /// Returns the version of a driver and its devices.
    static String description(LibCuda driver) {
        StringJoiner devices = new StringJoiner("; ");
        devices.add("driver of CUDA " + driver.version());
        for (int number = 0; number < devices(driver); number++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment handle = arena.allocate(JAVA_INT);
                driver.call(DriverFunction.DEVICE_GET, handle.address(), number);
                CudaDevice device = CudaDevice.of(driver, number, handle.get(JAVA_INT, 0));
                devices.add("device " + number + " " + device.name() + ", compute capability " + device.major() + "."
                        + device.minor() + ", " + device.multiprocessors() + " multiprocessors, "
                        + (device.memoryBytes() >> 20) + " MiB, stream words "
                        + (device.hasStreamWords() ? "yes" : "no, so Coterie can't use it") + ", cooperative launch "
                        + (device.hasCooperativeLaunch() ? "yes" : "no") + ", atomics on host memory "
                        + (device.hasHostAtomics() ? "yes" : "no") + features(driver, handle.get(JAVA_INT, 0)));
            }
        }
        return devices.toString();
    }
}
