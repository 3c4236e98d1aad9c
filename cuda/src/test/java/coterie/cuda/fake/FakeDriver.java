// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.fake;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/// A driver in Java behind the functions of libcuda: devices whose memory is the host's, streams that are
/// threads, and errors at request. It notes what a real driver would leave undefined: [#violations].
public final class FakeDriver implements SymbolLookup {
    /// Functions that work in a thread without a context.
    private static final Set<DriverFunction> FREE = EnumSet.of(
            DriverFunction.INIT,
            DriverFunction.DRIVER_GET_VERSION,
            DriverFunction.GET_ERROR_NAME,
            DriverFunction.GET_ERROR_STRING,
            DriverFunction.DEVICE_GET_COUNT,
            DriverFunction.DEVICE_GET,
            DriverFunction.DEVICE_GET_NAME,
            DriverFunction.DEVICE_TOTAL_MEM,
            DriverFunction.DEVICE_GET_ATTRIBUTE,
            DriverFunction.DEVICE_CAN_ACCESS_PEER,
            DriverFunction.DEVICE_GET_P2P_ATTRIBUTE,
            DriverFunction.DEVICE_PRIMARY_CTX_RETAIN,
            DriverFunction.DEVICE_PRIMARY_CTX_RELEASE,
            DriverFunction.CTX_SET_CURRENT);

    private static final long CONTEXT = 0xc0_0000L;

    record Kernel(List<Integer> parameterBytes, IntSupplier result) {}

    private volatile int version = 13_000;
    private final FakeCalls calls = new FakeCalls(this);
    private final Map<DriverFunction, AtomicInteger> failures = new EnumMap<>(DriverFunction.class);
    private final Map<DriverFunction, Integer> failureResults = new EnumMap<>(DriverFunction.class);
    private final Map<DriverFunction, AtomicLong> counts = new EnumMap<>(DriverFunction.class);
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final Map<Integer, Integer> attributes = new HashMap<>();
    private final ThreadLocal<Long> current = ThreadLocal.withInitial(() -> 0L);
    private final Map<String, MemorySegment> texts = new ConcurrentHashMap<>();
    private final AtomicInteger retains = new AtomicInteger();
    private final AtomicInteger sticky = new AtomicInteger();
    private final int devices;
    private final Set<String> withoutSymbols;

    final Map<String, Kernel> kernels = new ConcurrentHashMap<>();
    final FakeMemory memory;
    final FakeObjects objects;

    /// Makes a driver with one device of 64 MiB.
    public FakeDriver() {
        this(1, 64 << 20, Set.of());
    }

    /// Makes a driver.
    ///
    /// @param bytes of the memory of its devices together
    /// @param withoutSymbols that it does not have
    public FakeDriver(int devices, long bytes, Set<String> withoutSymbols) {
        this.devices = devices;
        this.withoutSymbols = withoutSymbols;
        this.memory = new FakeMemory(bytes, this::violation);
        this.objects = new FakeObjects(this);
        for (DriverFunction each : DriverFunction.values()) {
            counts.put(each, new AtomicLong());
            failures.put(each, new AtomicInteger());
        }
        attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4);
        attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9);
        attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
        attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1);
        attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1);
        attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 << 10);
    }

    /// Sets what the devices say of themselves.
    public FakeDriver attribute(DriverConstant attribute, int value) {
        attributes.put(attribute.value(), value);
        return this;
    }

    /// Sets the version of CUDA, such as 12_040 for 12.4.
    public FakeDriver version(int number) {
        version = number;
        return this;
    }

    /// Gives all modules a kernel that does nothing.
    public FakeDriver kernel(String name, Integer... parameterBytes) {
        return kernel(name, () -> 0, parameterBytes);
    }

    /// Gives all modules a kernel of which only the end matters.
    ///
    /// @param result returns a result of the driver when a launch ends, 0 if it is well
    public FakeDriver kernel(String name, IntSupplier result, Integer... parameterBytes) {
        kernels.put(name, new Kernel(List.of(parameterBytes), result));
        return this;
    }

    /// Lets the next `times` calls of a function return a result.
    public FakeDriver fail(DriverFunction function, DriverConstant result, int times) {
        failureResults.put(function, result.value());
        failures.get(function).set(times);
        return this;
    }

    /// Returns how often a function has been called.
    public long calls(DriverFunction function) {
        return counts.get(function).get();
    }

    /// Returns what the program did wrong, and a driver would not report.
    public List<String> violations() {
        return violations;
    }

    /// Returns how many ranges of pages this process has registered with all its drivers.
    public static int registrations() {
        return FakeMemory.registrations();
    }

    /// Returns what is not released, such as "streams=1", besides registrations; empty if all is.
    public String live() {
        Map<String, Integer> live = new HashMap<>(objects.live());
        live.put("contexts", retains.get());
        live.put("allocations", memory.allocations());
        live.put("handles", memory.handles());
        live.values().removeIf(count -> count == 0);
        return live.isEmpty() ? "" : live.toString();
    }

    /// Returns memory of the device.
    ///
    /// @throws IllegalStateException if the device does not have it
    public MemorySegment memory(long pointer, long bytes) {
        MemorySegment found = memory.at(pointer, bytes);
        if (found == null) {
            throw new IllegalStateException("the device does not have this address");
        }
        return found;
    }

    void violation(String text) {
        violations.add(text);
    }

    int sticky() {
        return sticky.get();
    }

    /// Notes the result of a command of a stream.
    void failed(int result) {
        if (result != 0) {
            sticky.compareAndSet(0, result);
        }
    }

    @Override
    public Optional<MemorySegment> find(String symbol) {
        if (withoutSymbols.contains(symbol)) {
            return Optional.empty();
        }
        for (DriverFunction each : DriverFunction.values()) {
            if (FakeCalls.symbol(each).equals(symbol)) {
                return Optional.of(calls.stub(each));
            }
        }
        return Optional.empty();
    }

    /// Does a call; the first seven words of it.
    int call(DriverFunction function, long[] words) {
        counts.get(function).incrementAndGet();
        if (Thread.currentThread().isVirtual()) {
            violation(function + " in a virtual thread");
        }
        AtomicInteger left = failures.get(function);
        if (left.get() > 0 && left.getAndDecrement() > 0) {
            return failureResults.get(function);
        }
        if (!FREE.contains(function)) {
            if (current.get() == 0L) {
                violation(function + " without a context");
                return 201;
            }
            if (sticky.get() != 0) {
                return sticky.get();
            }
        }
        return device(function, words);
    }

    private int device(DriverFunction function, long[] w) {
        return switch (function) {
            case INIT -> devices == 0 ? 100 : 0;
            case DRIVER_GET_VERSION -> set(w[0], version);
            case DEVICE_GET_COUNT -> set(w[0], devices);
            case DEVICE_GET -> w[1] < devices ? set(w[0], (int) w[1]) : 101;
            case DEVICE_GET_NAME -> text(w[0], "Fake device");
            case DEVICE_TOTAL_MEM -> setLong(w[0], memory.allBytes());
            case DEVICE_GET_ATTRIBUTE -> set(w[0], attributes.getOrDefault((int) w[1], 0));
            case DEVICE_CAN_ACCESS_PEER -> set(w[0], 1);
            case DEVICE_GET_P2P_ATTRIBUTE -> set(w[0], 0);
            case GET_ERROR_NAME -> named(w[1], (int) w[0], "");
            case GET_ERROR_STRING -> named(w[1], (int) w[0], "the fake's text of ");
            case DEVICE_PRIMARY_CTX_RETAIN -> {
                retains.incrementAndGet();
                yield setLong(w[0], CONTEXT + w[1]);
            }
            case DEVICE_PRIMARY_CTX_RELEASE -> {
                if (retains.decrementAndGet() < 0) {
                    violation("a context is released too often");
                }
                yield 0;
            }
            case CTX_SET_CURRENT -> {
                current.set(w[0]);
                yield 0;
            }
            case CTX_ENABLE_PEER_ACCESS -> 704;
            case MEM_ALLOC -> created(w[0], memory.allocate(w[1]));
            case MEM_FREE -> memory.free(w[0]);
            case MEM_GET_INFO -> setLong(w[0], memory.freeBytes()) + setLong(w[1], memory.allBytes());
            case IPC_GET_MEM_HANDLE -> memory.handle(FakeMemory.host(w[0], 64), w[1]);
            case IPC_CLOSE_MEM_HANDLE -> memory.closeHandle(w[0]);
            case MEM_HOST_REGISTER -> memory.register(w[0], w[1]);
            case MEM_HOST_UNREGISTER -> memory.unregister(w[0]);
            case MEM_HOST_GET_DEVICE_POINTER -> created(w[0], memory.devicePointer(w[1]));
            default -> objects.call(function, w);
        };
    }

    /// Opens a handle that travels by value.
    int openHandle(long result, MemorySegment handle, int flags) {
        counts.get(DriverFunction.IPC_OPEN_MEM_HANDLE).incrementAndGet();
        AtomicInteger left = failures.get(DriverFunction.IPC_OPEN_MEM_HANDLE);
        if (left.get() > 0 && left.getAndDecrement() > 0) {
            return failureResults.get(DriverFunction.IPC_OPEN_MEM_HANDLE);
        }
        if (flags != DriverConstant.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS.value()) {
            violation("open of a handle with flags " + flags);
        }
        return created(result, memory.open(handle));
    }

    /// Writes a pointer, or turns a negative number into the result.
    static int created(long result, long pointer) {
        return pointer < 0 ? (int) -pointer : setLong(result, pointer);
    }

    static int set(long address, int value) {
        FakeMemory.host(address, Integer.BYTES).set(JAVA_INT, 0, value);
        return 0;
    }

    static int setLong(long address, long value) {
        FakeMemory.host(address, Long.BYTES).set(JAVA_LONG, 0, value);
        return 0;
    }

    static int text(long address, String text) {
        byte[] bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, FakeMemory.host(address, bytes.length), 0, bytes.length);
        return 0;
    }

    /// Writes the address of a result's name, or 0 if it has none.
    private int named(long address, int result, String prefix) {
        for (DriverConstant each : DriverConstant.values()) {
            if (each.name().startsWith("CUDA_") && each.value() == result) {
                String text = prefix + each.name();
                return setLong(
                        address,
                        texts.computeIfAbsent(text, Arena.global()::allocateFrom)
                                .address());
            }
        }
        setLong(address, 0);
        return DriverConstant.CUDA_ERROR_INVALID_VALUE.value();
    }

    /// Returns what a test prints of the calls so far.
    @Override
    public String toString() {
        List<String> called = new ArrayList<>();
        counts.forEach((function, count) -> {
            if (count.get() > 0) {
                called.add(function + " " + count);
            }
        });
        return "fake driver: " + called;
    }
}
