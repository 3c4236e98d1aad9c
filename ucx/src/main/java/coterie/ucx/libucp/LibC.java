// SPDX-License-Identifier: Apache-2.0
package coterie.ucx.libucp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.CoterieException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.LongConsumer;

/// Functions of libraries that take up to seven words and return a word, and some of the C library.
///
/// One shape of call serves all functions, since each shape costs a JVM some 20 ms. The calling conventions
/// of Linux on x86-64 and aarch64 allow that: a function ignores words beyond its parameters, an `int` is the
/// low half of a word, and a status of UCX its low byte. No call is `critical`: all may block, take long, or
/// call back.
@SuppressWarnings("restricted")
final class LibC {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private static final MemorySegment POLL = find("poll");

    private static final int LC_NUMERIC = 1;
    private static final long POLLFD_BYTES = 8;
    private static final short POLLIN = 1;

    private LibC() {}

    /// Calls a function.
    static long call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (long) CALL.invokeExact(function, a, b, c, d, e, f, g);
        } catch (Throwable impossible) {
            throw new AssertionError("a foreign function can't throw", impossible);
        }
    }

    private static long call(String function, long a, long b, long c) {
        return call(find(function), a, b, c, 0, 0, 0, 0);
    }

    private static MemorySegment find(String function) {
        return LINKER.defaultLookup()
                .find(function)
                .orElseThrow(() -> new CoterieException("the C library has no " + function + "; UCX needs Linux"));
    }

    /// Sets a variable of the environment that C code of this process reads; [System#getenv] does not see it.
    ///
    /// `int setenv(const char *name, const char *value, int overwrite)`
    static void setVariable(String name, String value, boolean overwrite) {
        try (Arena arena = Arena.ofConfined()) {
            call(
                    "setenv",
                    arena.allocateFrom(name).address(),
                    arena.allocateFrom(value).address(),
                    overwrite ? 1 : 0);
        }
    }

    /// Makes C code of this process read and print numbers with a decimal point.
    ///
    /// `char *setlocale(int category, const char *locale)`
    static void useDecimalPoints() {
        try (Arena arena = Arena.ofConfined()) {
            call("setlocale", LC_NUMERIC, arena.allocateFrom("C").address(), 0);
        }
    }

    /// Returns the address of a structure for [#awaitReadable].
    ///
    /// @param arena of the structure
    static long pollOf(int descriptor, Arena arena) {
        MemorySegment poll = arena.allocate(POLLFD_BYTES, Integer.BYTES);
        poll.set(JAVA_INT, 0, descriptor);
        poll.set(JAVA_SHORT, Integer.BYTES, POLLIN);
        return poll.address();
    }

    /// Waits until a descriptor has something to read, or time is over; returns whether it has. A signal may end the
    /// wait early.
    ///
    /// `int poll(struct pollfd *fds, nfds_t nfds, int timeout)`
    ///
    /// @param poll from [#pollOf]; several threads may wait with one
    static boolean awaitReadable(long poll, int timeoutMillis) {
        return (int) call(POLL, poll, 1, timeoutMillis, 0, 0, 0, 0) > 0;
    }

    /// Returns what a function prints to the `FILE *` that it gets.
    ///
    /// `FILE *open_memstream(char **buffer, size_t *size)`, `int fclose(FILE *)`, `void free(void *)`
    static String printed(LongConsumer function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(JAVA_LONG);
            long stream = call(
                    "open_memstream",
                    buffer.address(),
                    arena.allocate(JAVA_LONG).address(),
                    0);
            if (stream == 0) {
                throw new CoterieException("open_memstream failed: no memory");
            }
            function.accept(stream);
            call("fclose", stream, 0, 0);
            long text = buffer.get(JAVA_LONG, 0);
            String printed = NativeMemory.text(text);
            call("free", text, 0, 0);
            return printed;
        }
    }
}
