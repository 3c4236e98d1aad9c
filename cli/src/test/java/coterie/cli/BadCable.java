// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.testing.NetworkNamespaces;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The cable of a host as a proxy in this process: frames go through two TAP devices. Each frame is delayed by up to
/// 4 ms, so that frames overtake each other, and one of 50 is dropped.
@SuppressWarnings("restricted")
final class BadCable implements AutoCloseable {
    private static final int MAX_DELAY_MICROS = 4000;
    private static final int DROP_ONE_OF = 50;
    private static final int FRAME_BYTES = 65536;
    private static final int O_RDWR = 2;
    private static final long TUNSETIFF = 0x400454caL;
    private static final short IFF_TAP_NO_PI = 0x1002;
    private static final int IFREQ_BYTES = 40;
    private static final int IFREQ_FLAGS = 16;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle IOCTL = function(
            "ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle READ =
            function("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final NetworkNamespaces network;
    private final int host;
    private final int ofHost;
    private final int ofBridge;
    private final Random random = new Random(27);
    private final AtomicLong dropped = new AtomicLong();
    private final ScheduledExecutorService delays = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService passing = Executors.newCachedThreadPool();

    /// @param host whose cable this one replaces
    BadCable(NetworkNamespaces network, int host) throws IOException {
        this.network = network;
        this.host = host;
        String name = "co" + ProcessHandle.current().pid() % 100_000_000;
        this.ofHost = tap(name + "h");
        this.ofBridge = tap(name + "b");
        network.replaceCable(host, name + "h", name + "b");
        passing.execute(() -> pass(ofHost, ofBridge));
        passing.execute(() -> pass(ofBridge, ofHost));
    }

    long dropped() {
        return dropped.get();
    }

    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, options);
    }

    private static long call(MethodHandle function, Object... arguments) {
        try {
            return ((Number) function.invokeWithArguments(arguments)).longValue();
        } catch (Throwable e) {
            throw new LinkageError("a function of the C library", e);
        }
    }

    /// Makes a TAP device, which lives as long as its descriptor.
    private static int tap(String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) call(OPEN, arena.allocateFrom("/dev/net/tun"), O_RDWR);
            MemorySegment request = arena.allocate(IFREQ_BYTES);
            request.setString(0, name);
            request.set(JAVA_SHORT, IFREQ_FLAGS, IFF_TAP_NO_PI);
            if (descriptor < 0 || call(IOCTL, descriptor, TUNSETIFF, request) < 0) {
                throw new IOException("/dev/net/tun can't be used");
            }
            return descriptor;
        }
    }

    /// Passes frames until the device is gone.
    private void pass(int from, int to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(FRAME_BYTES);
            while (true) {
                int count = (int) call(READ, from, buffer, (long) FRAME_BYTES);
                if (count < 0) {
                    return;
                }
                int chance;
                int delay;
                synchronized (random) {
                    chance = random.nextInt(DROP_ONE_OF);
                    delay = random.nextInt(MAX_DELAY_MICROS);
                }
                if (chance == 0) {
                    dropped.incrementAndGet();
                } else {
                    byte[] frame = buffer.asSlice(0, count).toArray(JAVA_BYTE);
                    Future<?> _ = delays.schedule(() -> write(to, frame), delay, TimeUnit.MICROSECONDS);
                }
            }
        } catch (RejectedExecutionException e) {
            return; // the cable is closed
        }
    }

    private static long write(int to, byte[] frame) {
        try (Arena arena = Arena.ofConfined()) {
            return call(WRITE, to, arena.allocateFrom(JAVA_BYTE, frame), (long) frame.length);
        }
    }

    @Override
    public void close() throws IOException {
        network.removeCable(host);
        passing.close(); // its reads end, since the devices are gone
        delays.shutdownNow();
        delays.close();
        call(CLOSE, ofHost);
        call(CLOSE, ofBridge);
    }
}
