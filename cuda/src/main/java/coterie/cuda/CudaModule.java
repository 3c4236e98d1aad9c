// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Kernels that the driver has loaded. [Cuda#compile] and [Cuda#load] make it.
///
/// Threads: any platform thread.
/// @counterpart `CUmodule`
public final class CudaModule implements AutoCloseable {
    private static final int LOG_BYTES = 16 << 10;

    private final DeviceContext context;
    private final String name;
    private final long handle;
    private final Map<String, CudaKernel> kernels = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    CudaModule(DeviceContext context, String name, byte... image) {
        this.context = context;
        this.name = name;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(image.length + 1L, Long.BYTES); // PTX ends with a zero byte
            MemorySegment.copy(image, 0, bytes, JAVA_BYTE, 0, image.length);
            MemorySegment log = arena.allocate(LOG_BYTES);
            MemorySegment options = arena.allocateFrom(
                    JAVA_INT,
                    DriverConstant.CU_JIT_ERROR_LOG_BUFFER.value(),
                    DriverConstant.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES.value());
            MemorySegment values = arena.allocateFrom(JAVA_LONG, log.address(), LOG_BYTES);
            MemorySegment made = arena.allocate(JAVA_LONG);
            int result = context.driver.call(
                    DriverFunction.MODULE_LOAD_DATA,
                    made.address(),
                    bytes.address(),
                    2,
                    options.address(),
                    values.address());
            if (result != DeviceContext.SUCCESS) {
                CudaException failure = context.failure(
                        "load", result, "module \"" + name + "\" for a driver of CUDA " + context.driver.version());
                if (failure.isSticky()) {
                    throw failure;
                }
                throw new CudaCompilationException(String.valueOf(failure.getMessage()), log.getString(0));
            }
            this.handle = made.get(JAVA_LONG, 0);
        }
    }

    /// Returns the name, as messages print it.
    public String name() {
        return name;
    }

    /// Returns a kernel.
    /// @counterpart `cuModuleGetFunction`
    /// @param function its name in the code; that of the source for `extern "C"`
    /// @throws CudaException if the module has none of this name
    public CudaKernel kernel(String function) {
        check("kernel");
        return kernels.computeIfAbsent(context.checked(function, "kernel", "function"), this::find);
    }

    private CudaKernel find(String function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(function);
            MemorySegment made = arena.allocate(JAVA_LONG);
            int result =
                    context.driver.call(DriverFunction.MODULE_GET_FUNCTION, made.address(), handle, text.address());
            if (result != DeviceContext.SUCCESS) {
                throw context.failure(
                        "kernel",
                        result,
                        "module \"" + name + "\" has no kernel \"" + function + "\"; declare it extern \"C\"");
            }
            return new CudaKernel(context, function, made.get(JAVA_LONG, 0), () -> isClosed);
        }
    }

    /// Returns the address of a variable of the device.
    /// @counterpart `cuModuleGetGlobal`
    /// @param variable its name in the code; that of the source for `extern "C"`
    /// @throws CudaException if the module has none of this name
    public long devicePointer(String variable) {
        check("devicePointer");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(context.checked(variable, "devicePointer", "variable"));
            MemorySegment made = arena.allocate(JAVA_LONG, 2);
            int result = context.driver.call(
                    DriverFunction.MODULE_GET_GLOBAL,
                    made.address(),
                    made.address() + Long.BYTES,
                    handle,
                    text.address());
            if (result != DeviceContext.SUCCESS) {
                throw context.failure(
                        "devicePointer", result, "module \"" + name + "\" has no variable \"" + variable + "\"");
            }
            return made.get(JAVA_LONG, 0);
        }
    }

    private void check(String operation) {
        if (isClosed) {
            throw new IllegalStateException(context.prefix(operation) + "module \"" + name + "\" is closed");
        }
        context.enter(operation);
    }

    /// Unloads the code, once no stream of this PE has work; this call does not wait for that. A second close
    /// does nothing.
    /// @counterpart `cuModuleUnload`
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            context.releases.add(this::unload);
        }
    }

    private boolean unload() {
        if (context.canRelease()) {
            context.check("close of a module", context.driver.call(DriverFunction.MODULE_UNLOAD, handle));
        }
        return true;
    }
}
