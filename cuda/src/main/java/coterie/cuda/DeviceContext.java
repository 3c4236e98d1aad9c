// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Team;
import coterie.World;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.driver.LibCuda;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The driver's context of a PE, and the checks of each call: a platform thread, a device that is not lost, and
/// the context current in the calling thread.
final class DeviceContext {
    private static final Set<DriverConstant> STICKY = Set.of(
            DriverConstant.CUDA_ERROR_CONTAINED,
            DriverConstant.CUDA_ERROR_ECC_UNCORRECTABLE,
            DriverConstant.CUDA_ERROR_NVLINK_UNCORRECTABLE,
            DriverConstant.CUDA_ERROR_CONTEXT_IS_DESTROYED,
            DriverConstant.CUDA_ERROR_ILLEGAL_ADDRESS,
            DriverConstant.CUDA_ERROR_LAUNCH_TIMEOUT,
            DriverConstant.CUDA_ERROR_ASSERT,
            DriverConstant.CUDA_ERROR_HARDWARE_STACK_ERROR,
            DriverConstant.CUDA_ERROR_ILLEGAL_INSTRUCTION,
            DriverConstant.CUDA_ERROR_MISALIGNED_ADDRESS,
            DriverConstant.CUDA_ERROR_INVALID_ADDRESS_SPACE,
            DriverConstant.CUDA_ERROR_INVALID_PC,
            DriverConstant.CUDA_ERROR_LAUNCH_FAILED,
            DriverConstant.CUDA_ERROR_TENSOR_MEMORY_LEAK,
            DriverConstant.CUDA_ERROR_EXTERNAL_DEVICE);

    private static final int CAPTURED = DriverConstant.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED.value();

    private static final String CAPTURE_ENDS = "a capture is under way, of this thread or with CaptureMode.GLOBAL of"
            + " another one of this process: end it first, or capture with CaptureMode.THREAD_LOCAL";

    static final int SUCCESS = DriverConstant.CUDA_SUCCESS.value();
    static final int NOT_READY = DriverConstant.CUDA_ERROR_NOT_READY.value();

    final World world;
    final LibCuda driver;
    final CudaDevice device;

    /// The driver's number of the device.
    final int deviceHandle;

    /// The driver's context.
    final long handle;

    /// Streams that capture: the driver prohibits queries meanwhile.
    final AtomicInteger captures = new AtomicInteger();

    /// The streams that are open, or have been.
    final StreamTable streams = new StreamTable();

    /// What this PE gives back to the driver.
    final Releases releases = new Releases(this, streams);

    /// Memory that the driver could not free during a capture of another thread.
    private final Queue<Long> unfreed = new ConcurrentLinkedQueue<>();

    private final AtomicReference<@Nullable CudaException> lost = new AtomicReference<>();
    private volatile boolean isClosed;
    private volatile boolean isReleased;

    DeviceContext(World world, LibCuda driver, CudaDevice device, int deviceHandle, long handle) {
        this.world = world;
        this.driver = driver;
        this.device = device;
        this.deviceHandle = deviceHandle;
        this.handle = handle;
    }

    /// Returns an argument, or throws if it is null.
    <T> T checked(T argument, String operation, String name) {
        if (argument == null) {
            throw new NullPointerException(prefix(operation) + name + " is null");
        }
        return argument;
    }

    /// Returns a team of this world, or throws.
    Team own(Team team, String operation) {
        checked(team, operation, "team");
        try {
            world.team().translate(0, team);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(prefix(operation) + team + " is not a team of this world", e);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(prefix(operation) + team + " can't be used any more", e);
        }
        return team;
    }

    /// Returns open memory of this device's Cuda, or throws.
    DeviceAddresses own(DeviceAddresses memory, String operation) {
        boolean isOwn = switch (memory) {
            case DeviceMemory device -> device.belongsTo(this);
            case RegisteredMemory host -> host.belongsTo(this);
        };
        if (!isOwn) {
            throw foreign(operation, memory.toString());
        }
        switch (memory) {
            case DeviceMemory device -> device.checkOpen(operation);
            case RegisteredMemory host -> host.checkOpen(operation);
        }
        return memory;
    }

    IllegalArgumentException foreign(String operation, String what) {
        return new IllegalArgumentException(prefix(operation) + what + " belongs to another Cuda");
    }

    /// Returns a member's number, or throws if it is out of range.
    int member(int member, int size, String operation) {
        if (member < 0 || member >= size) {
            throw new IndexOutOfBoundsException(
                    prefix(operation) + "member " + member + " is outside [0, " + size + ")");
        }
        return member;
    }

    String prefix(String operation) {
        return operation + " on PE " + world.pe() + ", device " + device.number() + ": ";
    }

    /// Begins a call of the program.
    void enter(String operation) {
        refuseVirtual(operation, prefix(operation));
        if (isClosed) {
            throw new IllegalStateException(prefix(operation) + "the Cuda object is closed");
        }
        checkNotLost(operation);
        check(operation, driver.call(DriverFunction.CTX_SET_CURRENT, handle));
    }

    static void refuseVirtual(String operation, String prefix) {
        if (Thread.currentThread().isVirtual()) {
            throw new WrongThreadException(prefix + "a virtual thread calls, but the driver keeps its context per"
                    + " platform thread; call " + operation + " in a platform thread");
        }
    }

    void checkNotLost(String operation) {
        CudaException first = lost.get();
        if (first != null) {
            CudaException.Failure failure = first.failure();
            throw new CudaException(
                    new CudaException.Failure(
                            operation, failure.pe(), failure.device(), failure.code(), failure.error(), true),
                    prefix(operation) + "the device is lost since an earlier error, so this process has to end: "
                            + first.getMessage(),
                    first);
        }
    }

    /// Returns whether the device is lost.
    boolean isLost() {
        return lost.get() != null;
    }

    /// Throws if a result of the driver is an error.
    void check(String operation, int result) {
        if (result != SUCCESS) {
            throw failure(operation, result, "");
        }
    }

    /// Returns the exception for a result of the driver; a sticky one is the first cause of all later ones.
    ///
    /// @param remedy further words for the message; empty for none. In a capture the remedy is the capture's.
    CudaException failure(String operation, int result, String remedy) {
        CudaException made = refusal(operation, result, result == CAPTURED ? CAPTURE_ENDS : remedy);
        if (made.isSticky() && !lost.compareAndSet(null, made)) {
            checkNotLost(operation); // throws with the first cause
        }
        return made;
    }

    /// Returns the exception for a call that is refused before the driver has it, in the driver's terms.
    ///
    /// @param remedy further words for the message; empty for none
    CudaException refusal(String operation, int result, String remedy) {
        String error = driver.name(result);
        boolean isSticky = STICKY.stream().anyMatch(each -> each.value() == result);
        return new CudaException(
                new CudaException.Failure(operation, world.pe(), device.number(), result, error, isSticky),
                prefix(operation) + error + " (" + result + "), " + driver.explanation(result)
                        + (remedy.isEmpty() ? "" : "; " + remedy));
    }

    /// Returns whether the driver says that work is over.
    boolean isOver(String operation, int result) {
        if (result == NOT_READY) {
            return false;
        }
        check(operation, result);
        return true;
    }

    /// A call that makes one object and writes its handle.
    interface Creation {
        int create(long result);
    }

    /// Returns the handle that a call of the driver writes.
    long created(String operation, Creation creation) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            check(operation, creation.create(made.address()));
            return made.get(JAVA_LONG, 0);
        }
    }

    /// Returns the free and all bytes of the device as words for a message; empty if the driver does not tell.
    String memoryUse() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(JAVA_LONG, 2);
            int result = driver.call(DriverFunction.MEM_GET_INFO, bytes.address(), bytes.address() + Long.BYTES);
            return result == SUCCESS
                    ? "the device has " + bytes.get(JAVA_LONG, 0) + " bytes free of " + bytes.get(JAVA_LONG, Long.BYTES)
                    : "";
        }
    }

    /// Returns whether a call may end what it owns: the context lives, and the device is not lost. Sets the
    /// context.
    boolean canRelease() {
        return !isReleased && !isLost() && driver.call(DriverFunction.CTX_SET_CURRENT, handle) == SUCCESS;
    }

    /// Frees memory of the device, the context being current; during a capture of another thread not yet, but with the
    /// next that is freed, or at the end.
    int free(long address) {
        unfreed.add(address);
        return freeAll();
    }

    /// Frees what could not be freed before. Returns the first result that is an error.
    int freeAll() {
        int first = SUCCESS;
        for (Long next = unfreed.poll(); next != null; next = unfreed.poll()) {
            int result = driver.call(DriverFunction.MEM_FREE, next);
            if (result == CAPTURED) {
                unfreed.add(next);
                return first;
            }
            first = first == SUCCESS ? result : first;
        }
        return first;
    }

    boolean isClosed() {
        return isClosed;
    }

    /// The program uses it no more.
    void close() {
        isClosed = true;
    }

    /// Gives up the driver's context.
    void release() {
        isReleased = true;
        driver.call(DriverFunction.DEVICE_PRIMARY_CTX_RELEASE, deviceHandle);
    }
}
