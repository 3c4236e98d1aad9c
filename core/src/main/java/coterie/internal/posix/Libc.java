// SPDX-License-Identifier: Apache-2.0
package coterie.internal.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
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
/// nothing on the way of a program's start may touch it.
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
    private static final int PR_SET_PDEATHSIG = 1;

    /// `int memfd_create(const char *name, unsigned flags)`
    private static final MethodHandle MEMFD_CREATE =
            link("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

    /// `int ftruncate(int fd, off_t length)`
    private static final MethodHandle FTRUNCATE =
            link("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

    /// `int posix_fallocate` would write where the file system can't; this one says so: `int fallocate(int fd, int
    /// mode, off_t offset, off_t length)`
    private static final MethodHandle FALLOCATE =
            link("fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));

    /// `int close(int fd)`
    private static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    /// `void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)`
    private static final MethodHandle MMAP = link(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));

    /// `int munmap(void *address, size_t length)`
    private static final MethodHandle MUNMAP = link("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    /// `int kill(pid_t pid, int signal)`
    private static final MethodHandle KILL = link("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

    /// `int prctl(int option, unsigned long, …)`
    private static final MethodHandle PRCTL = LINKER.downcallHandle(
            symbol("prctl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG),
            ERRNO,
            Linker.Option.firstVariadicArg(1));

    /// `int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *mask)`
    private static final MethodHandle SCHED_SETAFFINITY =
            link("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));

    /// `int sigwaitinfo(const sigset_t *signals, siginfo_t *info)`
    private static final MethodHandle SIGWAITINFO =
            link("sigwaitinfo", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

    /// Bytes of a `sigset_t` and of a `siginfo_t`, with glibc and musl alike.
    private static final long SIGNAL_BYTES = 128;

    private static final int EINTR = 4;

    private Libc() {}

    /// Makes an anonymous file in memory, of `byteSize` bytes and no pages yet. Returns its descriptor.
    public static int memfd(String name, long byteSize) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            int fd = (int) MEMFD_CREATE.invokeExact(errno, arena.allocateFrom(name), MFD_CLOEXEC);
            if (fd < 0) {
                throw failed("memfd_create", errno);
            }
            if ((int) FTRUNCATE.invokeExact(errno, fd, byteSize) != 0) {
                throw failed("ftruncate to " + byteSize + " bytes", errno);
            }
            return fd;
        } catch (Throwable e) {
            throw rethrown("memfd_create", e);
        }
    }

    /// Gives a file pages for `[offset, offset + length)`. Returns 0, or the error number.
    public static int allocatePages(int fd, long offset, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            return (int) FALLOCATE.invokeExact(errno, fd, 0, offset, length) == 0 ? 0 : errno.get(JAVA_INT, 0);
        } catch (Throwable e) {
            throw rethrown("fallocate", e);
        }
    }

    /// Closes a descriptor that [#memfd] made; the mappings of its file stay.
    public static void close(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            if ((int) CLOSE.invokeExact(errno, fd) != 0) {
                throw failed("close of descriptor " + fd, errno);
            }
        } catch (Throwable e) {
            throw rethrown("close", e);
        }
    }

    /// Maps a file from its start, readable and writable, at an address that is a multiple of `alignment`.
    ///
    /// @param alignment a power of two, at least a page
    public static long mapShared(int fd, long length, long alignment) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            // Addresses for twice as much as needed: the file goes over the aligned part, the rest stays unused.
            long room = (long) MMAP.invokeExact(errno, 0L, length + alignment, 0, ANONYMOUS, -1, 0L);
            long address = room + alignment - 1 & -alignment;
            if (room == MAP_FAILED
                    || (long) MMAP.invokeExact(errno, address, length, PROT_READ_WRITE, MAP_SHARED | MAP_FIXED, fd, 0L)
                            != address) {
                throw failed("mmap of " + length + " bytes", errno);
            }
            unmap(errno, room, address - room);
            unmap(errno, address + length, room + alignment - address);
            return address;
        } catch (Throwable e) {
            throw rethrown("mmap", e);
        }
    }

    private static void unmap(MemorySegment errno, long address, long length) throws Throwable {
        if (length > 0 && (int) MUNMAP.invokeExact(errno, address, length) != 0) {
            throw failed("munmap of " + length + " bytes", errno);
        }
    }

    /// Lays fresh zero pages over a mapping: its file is let go, and its addresses stay readable and writable.
    public static void blank(long address, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            long got = (long) MMAP.invokeExact(errno, address, length, PROT_READ_WRITE, ANONYMOUS | MAP_FIXED, -1, 0L);
            if (got != address) {
                throw failed("mmap of zero pages", errno);
            }
        } catch (Throwable e) {
            throw rethrown("mmap", e);
        }
    }

    /// Sends a signal to a process. Returns whether the process was there.
    public static boolean kill(long pid, int signal) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) KILL.invokeExact(arena.allocate(ERRNO_LAYOUT), (int) pid, signal) == 0;
        } catch (Throwable e) {
            throw rethrown("kill", e);
        }
    }

    /// A signal that has arrived.
    ///
    /// @param byKernel whether the kernel sent it by itself, as it does to all processes of a terminal when
    ///     somebody presses Ctrl-C
    public record Signal(int number, boolean byKernel) {}

    /// Waits for one of these signals, which must be blocked in all threads of this process, and takes it.
    ///
    /// @param numbers bit n for signal n, in `[1, 63]`
    public static Signal awaitSignal(long numbers) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            MemorySegment set = arena.allocate(SIGNAL_BYTES, Long.BYTES);
            MemorySegment info = arena.allocate(SIGNAL_BYTES, Long.BYTES);
            set.set(JAVA_LONG, 0, numbers >>> 1); // bit 0 of a sigset_t is signal 1
            while (true) {
                int number = (int) SIGWAITINFO.invokeExact(errno, set, info);
                if (number > 0) {
                    return new Signal(number, info.get(JAVA_INT, 8) > 0); // si_code: 0 and less are other processes
                }
                if (errno.get(JAVA_INT, 0) != EINTR) {
                    throw failed("sigwaitinfo", errno);
                }
            }
        } catch (Throwable e) {
            throw rethrown("sigwaitinfo", e);
        }
    }

    /// Asks for `signal` when the thread that started this process ends. Counts for as long as the calling thread
    /// lives; the caller checks afterwards that its parent was still there.
    public static void signalOnParentDeath(int signal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            if ((int) PRCTL.invokeExact(errno, PR_SET_PDEATHSIG, (long) signal) != 0) {
                throw failed("prctl(PR_SET_PDEATHSIG)", errno);
            }
        } catch (Throwable e) {
            throw rethrown("prctl", e);
        }
    }

    /// Binds the calling thread, and what it starts later, to these processors.
    public static void bind(BitSet cpus) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO_LAYOUT);
            long[] words = cpus.toLongArray();
            MemorySegment mask = arena.allocateFrom(JAVA_LONG, words);
            if ((int) SCHED_SETAFFINITY.invokeExact(errno, 0, mask.byteSize(), mask) != 0) {
                throw failed("sched_setaffinity to CPUs " + cpus, errno);
            }
        } catch (Throwable e) {
            throw rethrown("sched_setaffinity", e);
        }
    }

    private static MethodHandle link(String name, FunctionDescriptor signature) {
        return LINKER.downcallHandle(symbol(name), signature, ERRNO);
    }

    private static MemorySegment symbol(String name) {
        return LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new CoterieException("the C library has no " + name + "; Coterie needs Linux"));
    }

    private static CoterieException failed(String call, MemorySegment errno) {
        return new CoterieException(call + " failed: error " + errno.get(JAVA_INT, 0));
    }

    private static RuntimeException rethrown(String call, Throwable e) {
        if (e instanceof RuntimeException known) {
            return known;
        }
        throw new AssertionError(call + " can't throw", e);
    }
}
