// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.stream.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// Programs of one PE that a test runs in JVMs of their own.
final class DevicePrograms {
    private static final Extent ONE = Extent.of(1);

    private DevicePrograms() {}

    /// Loses the device by a kernel that stores to a wrong address.
    static final class WrongAddress {
        private WrongAddress() {}

        /// Prints what later calls throw.
        public static void main(String... arguments) {
            World world = World.join();
            Cuda cuda = Cuda.open(world);
            CudaStream stream = cuda.createStream();
            stream.launch(Device.kernels(cuda).kernel("fault"), ONE, ONE, 0, 8L);
            List<CudaException> thrown = new ArrayList<>();
            for (Runnable call : List.<Runnable>of(stream::synchronize, cuda::createStream, cuda::freeBytes)) {
                try {
                    call.run();
                } catch (CudaException e) {
                    thrown.add(e);
                }
            }
            Throwable cause = thrown.getFirst().getCause();
            CudaException first = cause instanceof CudaException earlier ? earlier : thrown.getFirst();
            System.out.println((first.isSticky() ? "sticky " : "") + first.code());
            boolean isSame =
                    thrown.size() == 3 && thrown.stream().skip(1).allMatch(each -> first.equals(each.getCause()));
            System.out.println(isSame ? "same cause" : "other causes: " + thrown);
            cuda.close();
            System.out.println("alive");
        }
    }

    /// A kernel that waits in one stream, and after it the kernel that ends the wait in another stream.
    static final class WaitAndNotify {
        /// Twice as long as the host waits, so that a kernel does not run for ever if the host does not notify it.
        private static final long LIMIT_NANOS = 10_000_000_000L;

        private static final long HOST_NANOS = LIMIT_NANOS / 2;

        private WaitAndNotify() {}

        /// Prints whether the device ran both at the same time, or the host has ended the wait by the word that
        /// the second kernel would have stored.
        public static void main(String... arguments) {
            World world = World.join();
            SymmetricMemory block = world.allocate(1 << 16, 1 << 16);
            try (Cuda cuda = Cuda.open(world)) {
                RegisteredMemory memory = cuda.register(block);
                CudaModule module = Device.kernels(cuda);
                CudaKernel await = module.kernel("await");
                CudaKernel notify = module.kernel("notify");
                CudaStream waits = cuda.createStream("waits");
                CudaStream notifies = cuda.createStream("notifies");
                long word = memory.devicePointer();
                // At the first launch of a kernel the driver may wait for running ones: here for none, so that the
                // queues alone decide.
                waits.launch(await, ONE, ONE, 0, word, 0L, LIMIT_NANOS, word + 64);
                waits.synchronize();
                notifies.launch(notify, ONE, ONE, 0, word + 128, 0L);
                notifies.synchronize();
                long start = System.nanoTime();
                waits.launch(await, ONE, ONE, 0, word, 1L, LIMIT_NANOS, word + 64);
                notifies.launch(notify, ONE, ONE, 0, word, 1L);
                AtomicBoolean hasEnded = new AtomicBoolean();
                AtomicBoolean isByHost = new AtomicBoolean();
                Thread host = Thread.ofPlatform().daemon().start(() -> {
                    LockSupport.parkNanos(HOST_NANOS - (System.nanoTime() - start));
                    if (!hasEnded.get()) {
                        isByHost.set(true);
                        block.longs().set(0, 1);
                    }
                });
                waits.synchronize();
                hasEnded.set(true);
                LockSupport.unpark(host);
                long nanos = System.nanoTime() - start;
                notifies.synchronize();
                System.out.println((isByHost.get() ? "serialised" : "concurrent") + " after " + nanos / 1_000_000
                        + " ms, the wait has seen " + block.longs().get(8));
                module.close();
                memory.close();
            }
            block.close();
        }
    }
}
