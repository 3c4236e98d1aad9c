// SPDX-License-Identifier: Apache-2.0
package coterie.internal.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CoterieException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;

/// The C library's calls that have no counterpart in the JDK. Loading this class costs a JVM some 25 ms, so that
/// nothing on the way of a program's start may touch it unasked.
///
/// All go through one shape of call, six words and a word back: each shape costs a JVM some 20 ms more, before
/// `main` has done anything. The calling conventions of Linux on x86-64 and aarch64 allow that: words beyond a
/// function's parameters are not looked at, an `int` is the low half of a word, and so is what comes back.
///
/// None is `critical`: all of them may block or take long.
@SuppressWarnings("restricted")
public final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();

    private static final int MFD_CLOEXEC = 1;
    private static final int PROT_READ_WRITE = 1 | 2;
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_FIXED = 0x10;
    /// MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE
    private static final int ANONYMOUS = 0x02 | 0x20 | 0x4000;
    private static final long MAP_FAILED = -1;
    /// MREMAP_MAYMOVE, MREMAP_FIXED
    private static final int MOVE_TO = 1 | 2;
    private static final int PR_SET_PDEATHSIG = 1;

    /// Any function of the C library: its address, where errno goes, six words. Returns a word.
    private static final MethodHandle CALL = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), ERRNO);

    /// Bytes of a `sigset_t` and of a `siginfo_t`, with glibc and musl alike.
    private static final long SIGNAL_BYTES = 128;

    private static final int EINTR = 4;

    private Libc() {}

    /// Makes an anonymous file in memory, of `byteSize` bytes and no pages yet. Returns its descriptor.
    ///
    /// `int memfd_create(const char *name, unsigned flags)` and `int ftruncate(int fd, off_t length)`.
    public static int memfd(String name, long byteSize) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            int fd = (int) call("memfd_create", errno, arena.allocateFrom(name).address(), MFD_CLOEXEC, 0, 0, 0, 0);
            if (fd < 0) {
                throw failed("memfd_create", errno);
            }
            if ((int) call("ftruncate", errno, fd, byteSize, 0, 0, 0, 0) != 0) {
                throw failed("ftruncate to " + byteSize + " bytes", errno);
            }
            return fd;
        }
    }

    /// Gives a file pages for `[offset, offset + length)`. Returns 0, or the error number.
    ///
    /// `int fallocate(int fd, int mode, off_t offset, off_t length)`; `posix_fallocate` would write where the
    /// file system can't, this one says so.
    public static int allocatePages(int fd, long offset, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            return (int) call("fallocate", errno, fd, 0, offset, length, 0, 0) == 0 ? 0 : errno.get(JAVA_INT, 0);
        }
    }

    /// Closes a descriptor that [#memfd] made; the mappings of its file stay.
    ///
    /// `int close(int fd)`.
    public static void close(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            if ((int) call("close", errno, fd, 0, 0, 0, 0, 0) != 0) {
                throw failed("close of descriptor " + fd, errno);
            }
        }
    }

    /// Maps a file from its start, readable and writable, at an address that is a multiple of `alignment`.
    ///
    /// `void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)` and
    /// `int munmap(void *address, size_t length)`.
    ///
    /// @param alignment a power of two, at least a page
    public static long mapShared(int fd, long length, long alignment) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            // Addresses for twice as much as needed: the file goes over the aligned part, the rest stays unused.
            long room = call("mmap", errno, 0, length + alignment, 0, ANONYMOUS, -1, 0);
            long address = room + alignment - 1 & -alignment;
            if (room == MAP_FAILED
                    || call("mmap", errno, address, length, PROT_READ_WRITE, MAP_SHARED | MAP_FIXED, fd, 0)
                            != address) {
                throw failed("mmap of " + length + " bytes", errno);
            }
            unmap(errno, room, address - room);
            unmap(errno, address + length, room + alignment - address);
            return address;
        }
    }

    private static void unmap(MemorySegment errno, long address, long length) {
        if (length > 0 && (int) call("munmap", errno, address, length, 0, 0, 0, 0) != 0) {
            throw failed("munmap of " + length + " bytes", errno);
        }
    }

    /// Ends a mapping: its addresses are the system's.
    ///
    /// `int munmap(void *address, size_t length)`.
    static void unmap(long address, long length) {
        try (Arena arena = Arena.ofConfined()) {
            unmap(arena.allocate(ERRNO_LAYOUT), address, length);
        }
    }

    /// Moves a mapping over another one, which is gone then.
    ///
    /// `void *mremap(void *old, size_t oldLength, size_t newLength, int flags, void *address)`.
    public static void move(long from, long length, long to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            if (call("mremap", errno, from, length, length, MOVE_TO, to, 0) != to) {
                throw failed("mremap of " + length + " bytes", errno);
            }
        }
    }

    /// Lays fresh zero pages over a mapping: its file is let go, and its addresses stay readable and writable.
    public static void blank(long address, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            long got = call("mmap", errno, address, length, PROT_READ_WRITE, ANONYMOUS | MAP_FIXED, -1, 0);
            if (got != address) {
                throw failed("mmap of zero pages", errno);
            }
        }
    }

    /// Sends a signal to a process. Returns whether the process was there.
    ///
    /// `int kill(pid_t pid, int signal)`.
    public static boolean kill(long pid, int signal) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) call("kill", arena.allocate(ERRNO_LAYOUT), pid, signal, 0, 0, 0, 0) == 0;
        }
    }

    /// A signal that has arrived.
    ///
    /// @param byKernel whether the kernel sent it by itself, as it does to all processes of a terminal when
    ///     a user presses Ctrl-C
    public record Signal(int number, boolean byKernel) {}

    /// Waits for one of these signals, which must be blocked in all threads of this process, and takes it.
    ///
    /// `int sigwaitinfo(const sigset_t *signals, siginfo_t *info)`.
    ///
    /// @param numbers bit n for signal n, in `[1, 63]`
    public static Signal awaitSignal(long numbers) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            MemorySegment set = arena.allocate(SIGNAL_BYTES, Long.BYTES);
            MemorySegment info = arena.allocate(SIGNAL_BYTES, Long.BYTES);
            set.set(JAVA_LONG, 0, numbers >>> 1); // bit 0 of a sigset_t is signal 1
            while (true) {
                int number = (int) call("sigwaitinfo", errno, set.address(), info.address(), 0, 0, 0, 0);
                if (number > 0) {
                    return new Signal(number, info.get(JAVA_INT, 8) > 0); // si_code: 0 and less are other processes
                }
                if (errno.get(JAVA_INT, 0) != EINTR) {
                    throw failed("sigwaitinfo", errno);
                }
            }
        }
    }

    /// Asks for `signal` when the thread that started this process ends. Counts for as long as the calling thread
    /// lives; the caller checks afterwards that its parent was still there.
    ///
    /// `int prctl(int option, unsigned long, …)`.
    public static void signalOnParentDeath(int signal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            if ((int) call("prctl", errno, PR_SET_PDEATHSIG, signal, 0, 0, 0, 0) != 0) {
                throw failed("prctl(PR_SET_PDEATHSIG)", errno);
            }
        }
    }

    /// Binds the calling thread, and what it starts later, to these processors.
    ///
    /// `int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *mask)`.
    public static void bind(BitSet cpus) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            long[] words = cpus.toLongArray();
            MemorySegment mask = arena.allocateFrom(JAVA_LONG, words);
            if ((int) call("sched_setaffinity", errno, 0, mask.byteSize(), mask.address(), 0, 0, 0) != 0) {
                throw failed("sched_setaffinity to CPUs " + cpus, errno);
            }
        }
    }

    /// Calls a function of the C library by name.
    private static long call(String function, MemorySegment errno, long a, long b, long c, long d, long e, long f) {
        MemorySegment address = LINKER.defaultLookup()
                .find(function)
                .orElseThrow(() -> new CoterieException("the C library has no " + function + "; Coterie needs Linux"));
        try {
            return (long) CALL.invokeExact(address, errno, a, b, c, d, e, f);
        } catch (Throwable impossible) {
            throw new AssertionError(function + " can't throw", impossible);
        }
    }

    private static CoterieException failed(String call, MemorySegment errno) {
        return new CoterieException(call + " failed: error " + errno.get(JAVA_INT, 0));
    }
}
