// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/// Calls of foreign functions that take words and return an `int`.
///
/// Three shapes serve all functions, since each costs a JVM some 20 ms. The calling conventions of Linux on
/// x86-64 and aarch64 allow that: a function ignores words beyond its parameters, and an `int` is the low half
/// of a word. No call is `critical`: a call of the driver may block until another thread of this process has
/// done something.
@SuppressWarnings("restricted")
public final class Words {
    /// `CUipcMemHandle`, which travels by value.
    static final StructLayout HANDLE = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(64, JAVA_BYTE));

    private static final Linker LINKER = Linker.nativeLinker();

    private static final MethodHandle SEVEN = LINKER.downcallHandle(FunctionDescriptor.of(
            JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private static final MethodHandle ELEVEN = LINKER.downcallHandle(FunctionDescriptor.of(
            JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG, JAVA_LONG));

    private static final MethodHandle HANDLE_BY_VALUE =
            LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, HANDLE, JAVA_INT));

    private Words() {}

    /// Calls a function with up to seven words.
    public static int call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (int) SEVEN.invokeExact(function, a, b, c, d, e, f, g);
        } catch (Throwable impossible) {
            throw new AssertionError("a foreign function can't throw", impossible);
        }
    }

    /// Calls a function with up to eleven words, of which those from the seventh on may be on the stack.
    public static int call(
            MemorySegment function,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k) {
        try {
            return (int) ELEVEN.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k);
        } catch (Throwable impossible) {
            throw new AssertionError("a foreign function can't throw", impossible);
        }
    }

    /// Calls a function with a word, 64 bytes by value and a number.
    static int call(MemorySegment function, long result, MemorySegment handle, int flags) {
        try {
            return (int) HANDLE_BY_VALUE.invokeExact(function, result, handle, flags);
        } catch (Throwable impossible) {
            throw new AssertionError("a foreign function can't throw", impossible);
        }
    }

    /// Returns the text at an address, up to its zero byte; empty for the address 0.
    public static String text(long address) {
        return address == 0
                ? ""
                : MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    /// Returns the bytes of a page of the host's memory.
    ///
    /// `int getpagesize(void)`
    public static int pageBytes() {
        return LINKER.defaultLookup()
                .find("getpagesize")
                .map(function -> call(function, 0, 0, 0, 0, 0, 0, 0))
                .orElse(65_536); // every page of Linux divides it
    }
}
