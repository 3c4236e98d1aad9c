// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.fake;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.driver.DriverFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The functions of a [FakeDriver] as foreign functions: stubs that call back into Java.
@SuppressWarnings("restricted")
final class FakeCalls {
    private static final int WORDS = 11;
    private static final FunctionDescriptor DESCRIPTOR;
    private static final FunctionDescriptor BY_VALUE = FunctionDescriptor.of(
            JAVA_INT, JAVA_LONG, MemoryLayout.structLayout(MemoryLayout.sequenceLayout(64, JAVA_BYTE)), JAVA_INT);

    static {
        MemoryLayout[] seven = new MemoryLayout[7];
        Arrays.fill(seven, JAVA_LONG);
        DESCRIPTOR = FunctionDescriptor.of(JAVA_INT, seven);
    }

    private final FakeDriver driver;
    private final Map<DriverFunction, MemorySegment> stubs = new ConcurrentHashMap<>();

    FakeCalls(FakeDriver driver) {
        this.driver = driver;
    }

    /// Returns the symbol by which the fake has a function: that of the newest driver.
    static String symbol(DriverFunction function) {
        return switch (function) {
            case DEVICE_TOTAL_MEM, MEM_ALLOC, MEM_FREE, MEM_GET_INFO, STREAM_DESTROY, EVENT_DESTROY ->
                function.functionName() + "_v2";
            case DEVICE_PRIMARY_CTX_RELEASE,
                    IPC_OPEN_MEM_HANDLE,
                    MEM_HOST_REGISTER,
                    MEM_HOST_GET_DEVICE_POINTER,
                    STREAM_BEGIN_CAPTURE,
                    EVENT_ELAPSED_TIME,
                    STREAM_WRITE_VALUE,
                    STREAM_WAIT_VALUE,
                    MEMCPY_TO_DEVICE,
                    MEMCPY_TO_HOST,
                    MODULE_GET_GLOBAL -> function.functionName() + "_v2";
            case GRAPH_INSTANTIATE -> "cuGraphInstantiateWithFlags";
            default -> function.functionName();
        };
    }

    /// Lives as long as the process, as a library does.
    MemorySegment stub(DriverFunction function) {
        return stubs.computeIfAbsent(function, this::made);
    }

    private MemorySegment made(DriverFunction function) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            if (function == DriverFunction.IPC_OPEN_MEM_HANDLE) {
                MethodHandle open = lookup.findVirtual(
                        FakeCalls.class,
                        "open",
                        MethodType.methodType(int.class, long.class, MemorySegment.class, int.class));
                return Linker.nativeLinker().upcallStub(open.bindTo(this), BY_VALUE, Arena.global());
            }
            boolean isLong =
                    function == DriverFunction.LAUNCH_KERNEL || function == DriverFunction.LAUNCH_COOPERATIVE_KERNEL;
            MethodHandle call = lookup.findVirtual(
                            FakeCalls.class,
                            "call",
                            MethodType.methodType(int.class, DriverFunction.class, long[].class))
                    .bindTo(this)
                    .bindTo(function)
                    .asCollector(long[].class, isLong ? WORDS : 7);
            return Linker.nativeLinker().upcallStub(call, isLong ? longDescriptor() : DESCRIPTOR, Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(function + " has no stub", e);
        }
    }

    private static FunctionDescriptor longDescriptor() {
        MemoryLayout[] all = new MemoryLayout[WORDS];
        Arrays.fill(all, JAVA_LONG);
        return FunctionDescriptor.of(JAVA_INT, all);
    }

    /// A throwable would end the JVM.
    @SuppressWarnings("unused") // a stub calls it
    private int call(DriverFunction function, long[] words) {
        try {
            return driver.call(function, words);
        } catch (Throwable e) {
            driver.violation(function + " has thrown " + e);
            return 999;
        }
    }

    @SuppressWarnings("unused") // a stub calls it
    private int open(long result, MemorySegment handle, int flags) {
        try {
            return driver.openHandle(result, handle, flags);
        } catch (Throwable e) {
            driver.violation("open of a handle has thrown " + e);
            return 999;
        }
    }
}
