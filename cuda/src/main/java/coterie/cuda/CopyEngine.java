// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Copies of the host to and from memory that the device has, complete on return: an asynchronous copy in a
/// stream of its own, and a wait in the waiting room. The driver's synchronous copy is no substitute: from
/// pageable memory it returns while the last bytes are still on their way.
final class CopyEngine {
    /// Bytes of a piece, for segments that are arrays of the JVM.
    private static final long STAGE_BYTES = 256 << 10;

    private final DeviceContext context;
    private final long stream;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment stage = arena.allocate(STAGE_BYTES, 64);
    private final ReentrantLock lock = new ReentrantLock();
    private final Completion completion = new Completion();

    CopyEngine(DeviceContext context) {
        this.context = context;
        this.stream = context.created(
                "open",
                result -> context.driver.call(
                        DriverFunction.STREAM_CREATE_WITH_PRIORITY,
                        result,
                        DriverConstant.CU_STREAM_NON_BLOCKING.value(),
                        0));
    }

    /// That the driver has done what the stream has.
    private final class Completion implements BooleanSupplier {
        private String operation = "";

        @Override
        public boolean getAsBoolean() {
            return context.isOver(operation, context.driver.call(DriverFunction.STREAM_QUERY, stream));
        }

        @Override
        public String toString() {
            return operation + " of device memory";
        }
    }

    /// Copies from the host to an address of the device.
    void put(String operation, long target, MemorySegment source) {
        lock.lock();
        try {
            if (source.isNative()) {
                start(operation, DriverFunction.MEMCPY_TO_DEVICE, target, source.address(), source.byteSize());
                return;
            }
            for (long at = 0; at < source.byteSize(); at += STAGE_BYTES) {
                long bytes = Math.min(STAGE_BYTES, source.byteSize() - at);
                MemorySegment.copy(source, at, stage, 0, bytes);
                start(operation, DriverFunction.MEMCPY_TO_DEVICE, target + at, stage.address(), bytes);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Copies from an address of the device to the host.
    void get(String operation, MemorySegment target, long source) {
        lock.lock();
        try {
            if (target.isNative()) {
                start(operation, DriverFunction.MEMCPY_TO_HOST, target.address(), source, target.byteSize());
                return;
            }
            for (long at = 0; at < target.byteSize(); at += STAGE_BYTES) {
                long bytes = Math.min(STAGE_BYTES, target.byteSize() - at);
                start(operation, DriverFunction.MEMCPY_TO_HOST, stage.address(), source + at, bytes);
                MemorySegment.copy(stage, 0, target, at, bytes);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Fills memory of the device with zeros.
    void clear(String operation, long target, long bytes) {
        lock.lock();
        try {
            context.check(operation, context.driver.call(DriverFunction.MEMSET, target, 0, bytes, stream));
            await(operation);
        } finally {
            lock.unlock();
        }
    }

    private void start(String operation, DriverFunction copy, long target, long source, long bytes) {
        if (bytes > 0) {
            context.check(operation, context.driver.call(copy, target, source, bytes, stream));
            await(operation);
        }
    }

    private void await(String operation) {
        completion.operation = operation;
        context.world.progressUntil(completion);
    }

    void close() {
        if (context.canRelease()) {
            context.driver.call(DriverFunction.STREAM_DESTROY, stream);
        }
        arena.close();
    }
}
