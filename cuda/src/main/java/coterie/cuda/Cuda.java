// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.Objects.requireNonNull;

import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.driver.LibCuda;
import coterie.cuda.nvrtc.LibNvrtc;
import coterie.spi.FaceSupport;
import coterie.stream.StreamRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// A PE's device: its memory, its streams, and the kernels that run on it.
///
/// ```java
/// try (Cuda cuda = Cuda.open(world);
///         DeviceMemory halo = cuda.allocate(world.team(), bytes);
///         CudaModule module = cuda.compile("step.cu", source);
///         CudaStream stream = cuda.createStream("compute")) {
///     stream.launch(module.kernel("step"), Extent.of(blocks), Extent.of(256), 0, halo, n);
///     stream.barrier(world.team());
///     stream.synchronize();
/// }
/// ```
///
/// Each PE opens its own: a local call. PEs that are threads of one process and choose one device share the
/// driver's primary context, which the CUDA runtime and other libraries of the process use, too.
///
/// **Threads.** Platform threads alone: a virtual thread gets a [WrongThreadException]. Each call makes the
/// context current in its thread. Calls that wait follow the rules of [World#progress].
///
/// **Errors.** A failed call of the driver throws a [CudaException]. After a sticky error the device is lost,
/// and each later call throws again with the first cause.
public final class Cuda implements AutoCloseable {
    private final DeviceContext context;
    private final StreamRuntime runtime;
    private final CopyEngine copies;
    private final WordPool words;
    private final AtomicLong objects = new AtomicLong();

    /// Blocks, registrations and collectives that are open; the set guards itself.
    private final Set<Object> memories = new LinkedHashSet<>();

    private Cuda(DeviceContext context, CudaOptions options) {
        this.context = context;
        this.copies = new CopyEngine(context);
        this.words = new WordPool(context);
        this.runtime = StreamRuntime.open(context.world, options.teamOrder());
    }

    /// Opens the device of this PE with [CudaOptions#DEFAULT].
    /// @counterpart `cuInit`, `cuDevicePrimaryCtxRetain`, `cudaSetDevice`; with `CudaOptions`
    public static Cuda open(World world) {
        return open(world, CudaOptions.DEFAULT);
    }

    /// Opens a device.
    ///
    /// The library is libcuda.so.1, or the file of the setting `COTERIE_CUDA_LIBRARY`.
    ///
    /// @throws CoterieException if this process has no usable driver; the message has the remedy
    /// @throws CudaException if there is no such device, or its streams can't write and wait for words
    /// @throws WrongThreadException in a virtual thread
    public static Cuda open(World world, CudaOptions options) {
        requireNonNull(world, "Cuda.open: world is null");
        requireNonNull(options, "Cuda.open: options is null");
        return open(world, options, LibCuda.get(FaceSupport.of(world).setting("CUDA_LIBRARY")));
    }

    static Cuda open(World world, CudaOptions options, LibCuda driver) {
        String prefix = "open on PE " + world.pe() + ": ";
        DeviceContext.refuseVirtual("open", prefix);
        check(world, driver, -1, driver.call(DriverFunction.INIT, 0), "");
        int devices = count(world, driver);
        int number = options.device() == CudaOptions.BY_PE
                ? world.nodeTeam().member() % Math.max(devices, 1)
                : options.device();
        if (number >= devices) {
            check(
                    world,
                    driver,
                    number,
                    DriverConstant.CUDA_ERROR_NO_DEVICE.value(),
                    "this process sees " + devices + " devices; look at nvidia-smi and CUDA_VISIBLE_DEVICES");
        }
        int handle = handle(world, driver, number);
        CudaDevice device = CudaDevice.of(driver, number, handle);
        if (!device.hasStreamWords()) {
            throw new CoterieException(prefix + "device " + number + ", " + device.name()
                    + ", has no streams that write and wait for 64-bit words (attribute 122); it needs a driver of CUDA"
                    + " 12.0 or later, and no virtual GPU that hides them");
        }
        long made;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_LONG);
            check(
                    world,
                    driver,
                    number,
                    driver.call(DriverFunction.DEVICE_PRIMARY_CTX_RETAIN, result.address(), handle),
                    "");
            made = result.get(JAVA_LONG, 0);
        }
        DeviceContext context = new DeviceContext(world, driver, device, handle, made);
        boolean isOpen = false;
        try {
            context.enter("open");
            Cuda cuda = new Cuda(context, options);
            context.releases.registered(FaceSupport.of(world).addCloseListener(context.releases));
            isOpen = true;
            return cuda;
        } finally {
            if (!isOpen) {
                driver.call(DriverFunction.DEVICE_PRIMARY_CTX_RELEASE, handle);
            }
        }
    }

    private static int count(World world, LibCuda driver) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_INT);
            check(world, driver, -1, driver.call(DriverFunction.DEVICE_GET_COUNT, result.address()), "");
            return result.get(JAVA_INT, 0);
        }
    }

    private static int handle(World world, LibCuda driver, int number) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_INT);
            check(world, driver, number, driver.call(DriverFunction.DEVICE_GET, result.address(), number), "");
            return result.get(JAVA_INT, 0);
        }
    }

    private static void check(World world, LibCuda driver, int device, int result, String remedy) {
        if (result != DeviceContext.SUCCESS) {
            String error = driver.name(result);
            throw new CudaException(
                    new CudaException.Failure("open", world.pe(), device, result, error, false),
                    "open on PE " + world.pe() + (device < 0 ? "" : ", device " + device) + ": " + error + " (" + result
                            + "), " + driver.explanation(result) + (remedy.isEmpty() ? "" : "; " + remedy));
        }
    }

    DeviceContext context() {
        return context;
    }

    StreamRuntime runtime() {
        return runtime;
    }

    CopyEngine copies() {
        return copies;
    }

    WordPool words() {
        return words;
    }

    StreamTable streams() {
        return context.streams;
    }

    /// Returns the world.
    public World world() {
        return context.world;
    }

    /// Returns the device.
    /// @counterpart `cudaGetDeviceProperties`
    public CudaDevice device() {
        return context.device;
    }

    /// Returns the newest CUDA that the driver serves, such as "13.0".
    public String driverVersion() {
        return context.driver.version();
    }

    /// Returns the free bytes of the device's memory.
    public long freeBytes() {
        context.enter("freeBytes");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(JAVA_LONG, 2);
            context.check(
                    "freeBytes",
                    context.driver.call(DriverFunction.MEM_GET_INFO, bytes.address(), bytes.address() + Long.BYTES));
            return bytes.get(JAVA_LONG, 0);
        }
    }

    /// Allocates zeroed memory on the device of every member, see [DeviceMemory].
    ///
    /// **Collective** over the team, agreeing as [Team] defines it: all members get the memory, or all get the
    /// same exception. Every member opens its Cuda before.
    /// @counterpart `nvshmem_malloc` of device memory, `cudaMalloc`, `cudaIpcGetMemHandle`,
    ///     `cudaIpcOpenMemHandle`; a `coterie.cuda.DeviceMemory`
    /// @param bytes of each member's part, the same on all, `0 ≤ bytes`
    /// @throws CudaException if a device has too little memory, or a member can't map the part of another
    public DeviceMemory allocate(Team team, long bytes) {
        context.own(team, "allocate");
        DeviceContext.refuseVirtual("allocate", context.prefix("allocate"));
        return remember(new DeviceAllocation(this, team, bytes).run());
    }

    /// Registers a block of symmetric memory of the world, see [RegisteredMemory]. Not collective.
    /// @counterpart `nvshmemx_buffer_register`, `cudaHostRegister`, `cudaHostGetDevicePointer`; a
    ///     `coterie.cuda.RegisteredMemory`
    /// @throws CudaException if pages of it are registered already, or can't be
    public RegisteredMemory register(SymmetricMemory memory) {
        return register(memory, context.world.team());
    }

    /// Registers a block of symmetric memory with the numbers of a team. Not collective.
    ///
    /// @param team whose members have the block
    /// @throws CudaException if pages of it are registered already, or can't be
    public RegisteredMemory register(SymmetricMemory memory, Team team) {
        context.checked(memory, "register", "memory");
        context.own(team, "register");
        context.enter("register");
        try {
            memory.segment(team, 0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    context.prefix("register") + memory + " is not symmetric memory of this world", e);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(context.prefix("register") + memory + " was freed", e);
        }
        context.releases.sweepAll();
        return remember(new RegisteredMemory(this, memory, team));
    }

    /// Makes collectives over device memory for a team, see [DeviceCollectives].
    ///
    /// **Collective** over the team, agreeing as [Team] defines it: all members get the collectives, by the same
    /// engine, or all get the same exception.
    /// @counterpart `ncclCommInitRank`
    /// @throws IllegalArgumentException if the setting `COTERIE_CUDA_COLLECTIVES` has no allowed value on a member
    /// @throws CoterieException if a member lacks what the setting asks for, or memory
    public DeviceCollectives collectives(Team team) {
        return collectives(team, EngineParts.of(this));
    }

    DeviceCollectives collectives(Team team, EngineParts engines) {
        context.own(team, "collectives");
        DeviceContext.refuseVirtual("collectives", context.prefix("collectives"));
        return remember(new CollectivesOpening(this, team, engines).run());
    }

    private <T> T remember(T memory) {
        synchronized (memories) {
            memories.add(memory);
        }
        return memory;
    }

    void forget(Object memory) {
        synchronized (memories) {
            memories.remove(memory);
        }
    }

    /// Creates a stream with a name that the runtime makes.
    public CudaStream createStream() {
        return createStream("", StreamRuntime.LEAST_PRIORITY);
    }

    /// Creates a stream with a name for messages.
    public CudaStream createStream(String name) {
        return createStream(name, StreamRuntime.LEAST_PRIORITY);
    }

    /// Creates a stream, which has no order with the driver's default streams. Create streams before kernels run
    /// that wait for each other: the driver may wait for running work when it makes one.
    /// @counterpart `cudaStreamCreateWithPriority`
    /// @param priority as [StreamRuntime#createStream(String, int, coterie.stream.StreamOption...)], also for the
    ///     driver, which takes a number outside its range as the nearest
    public CudaStream createStream(String name, int priority) {
        context.checked(name, "createStream", "name");
        context.enter("createStream");
        context.streams.sweep(this);
        String full = name.isEmpty() ? "cuda-" + objects.getAndIncrement() : name;
        CudaStream stream = new CudaStream(this, full, priority);
        context.streams.add(stream);
        return stream;
    }

    /// Creates an event that takes the time.
    /// @counterpart `cudaEventCreate`
    public CudaEvent createEvent() {
        return createEvent("createEvent", true);
    }

    /// Creates an event without time stamps, which costs the device less.
    /// @counterpart `cudaEventCreateWithFlags` with `cudaEventDisableTiming`
    public CudaEvent createUntimedEvent() {
        return createEvent("createUntimedEvent", false);
    }

    private CudaEvent createEvent(String operation, boolean isTimed) {
        context.enter(operation);
        return new CudaEvent(this, isTimed);
    }

    /// Compiles CUDA C++ for this device and loads it. Includes of `coterie.cuh` and `coterie_gin.cuh`, the device
    /// headers of this module, work without an option.
    ///
    /// The compiler is libnvrtc in a version of CUDA 12 or 13, the driver's version first, or the file of the
    /// setting `COTERIE_NVRTC_LIBRARY`.
    /// @counterpart `nvrtcCreateProgram`, `nvrtcCompileProgram`
    /// @param name of the source for messages, such as "step.cu"
    /// @param source whose kernels are `extern "C"`, so that their names are what the source says
    /// @param options of NVRTC, such as "-DN=4"; without an architecture among them, it is that of the device
    /// @throws CoterieException if this process has no compiler; the message has the remedy
    /// @throws CudaCompilationException if the source has errors; it has the compiler's log
    public CudaModule compile(String name, String source, String... options) {
        context.checked(name, "compile", "name");
        context.checked(source, "compile", "source");
        for (String each : context.checked(options, "compile", "options")) {
            context.checked(each, "compile", "an element of options");
        }
        context.enter("compile");
        String library = FaceSupport.of(context.world).setting("NVRTC_LIBRARY");
        LibNvrtc compiler = LibNvrtc.get(LibNvrtc.nameFor(context.driver, library));
        return load(name, KernelCompiler.compile(compiler, context, name, source, options));
    }

    /// Loads PTX, machine code (cubin) or a fat binary, such as nvcc makes by `-ptx`, `-cubin` or `-fatbin`.
    /// @counterpart `cuModuleLoadData`
    /// @param image PTX as bytes of its text, or the bytes of the file
    /// @throws CudaCompilationException if the driver can't use it; it has the log of the driver's compiler
    public CudaModule load(byte... image) {
        context.checked(image, "load", "image");
        return load("module-" + objects.getAndIncrement(), image);
    }

    private CudaModule load(String name, byte[] image) {
        context.enter("load");
        return new CudaModule(context, name, image);
    }

    /// Maps the memory of another device of this process, if the device can read it.
    boolean canReach(int number) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_LONG);
            context.check("allocate", context.driver.call(DriverFunction.DEVICE_GET, result.address(), number));
            int handle = result.get(JAVA_INT, 0);
            if (!DeviceAllocation.canAccess(context, handle)) {
                return false;
            }
            // The other PE has the context open: this retain only finds it.
            context.check(
                    "allocate",
                    context.driver.call(DriverFunction.DEVICE_PRIMARY_CTX_RETAIN, result.address(), handle));
            int enabled = context.driver.call(DriverFunction.CTX_ENABLE_PEER_ACCESS, result.get(JAVA_LONG, 0), 0);
            context.check("allocate", context.driver.call(DriverFunction.DEVICE_PRIMARY_CTX_RELEASE, handle));
            if (enabled != DriverConstant.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED.value()) {
                context.check("allocate", enabled);
            }
            return true;
        }
    }

    /// Ends the caller's use of the device, and closes its streams. Waits for no other PE: work of the streams that is
    /// not over still runs, as do their operations of the host in the waits of this PE, and the close of the world
    /// waits for it; synchronize streams whose results the program needs. What other PEs may still use of this
    /// PE's device stays until they have closed it too, or the world closes, and so long the driver's context. A
    /// second close does nothing.
    ///
    /// @throws IllegalStateException if device memory, registered memory or collectives of the caller are open:
    ///     close these before; nothing has ended
    /// @throws coterie.stream.StreamException if an operation of a stream has failed and no call has thrown that
    ///     yet; all is closed nevertheless
    @Override
    public void close() {
        if (context.isClosed()) {
            return;
        }
        DeviceContext.refuseVirtual("close", context.prefix("close"));
        if (context.isLost()) {
            abandonMemories();
        } else {
            checkNothingIsOpen();
        }
        context.close();
        try {
            context.streams.closeAll();
            runtime.close();
        } finally {
            context.releases.end(this);
        }
    }

    /// Gives back what there is: nothing runs on the device, and no other PE uses it.
    void release() {
        copies.close();
        words.close();
        context.freeAll();
        context.release();
    }

    private void abandonMemories() {
        synchronized (memories) {
            for (Object each : memories) {
                if (each instanceof DeviceMemory memory) {
                    memory.abandon();
                }
            }
            memories.clear();
        }
    }

    private void checkNothingIsOpen() {
        synchronized (memories) {
            if (!memories.isEmpty()) {
                throw new IllegalStateException(context.prefix("close") + memories.size()
                        + " blocks of memory are open, the first of them "
                        + Objects.toString(memories.iterator().next()) + "; close them first");
            }
        }
    }

    @Override
    public String toString() {
        return "CUDA on PE " + world().pe();
    }
}
