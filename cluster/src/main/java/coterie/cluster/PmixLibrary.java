// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.CoterieException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The few functions of libpmix that a bootstrap needs. The layouts are those of versions 3 to 5 on machines with
/// 64 bits:
///
/// ```
///  pmix_proc_t   260 bytes   nspace char[256], rank uint32 at 256
///  pmix_value_t   32 bytes   type uint16, data at 8; of a byte object: pointer at 8, size at 16
///  pmix_info_t   552 bytes   key char[512], flags uint32 at 512, value at 520
/// ```
///
/// Any of these calls may block.
@SuppressWarnings("restricted")
final class PmixLibrary {
    static final String NAME = "libpmix.so.2";

    private static final long NAMESPACE_BYTES = 256;
    private static final long PROC_BYTES = 260;
    private static final long VALUE_BYTES = 32;
    private static final long DATA = 8;
    private static final long DATA_SIZE = 16;
    private static final long INFO_BYTES = 552;
    private static final long INFO_VALUE = 520;

    private static final short TYPE_BOOL = 1;
    private static final short TYPE_UINT32 = 14;
    private static final short TYPE_BYTE_OBJECT = 27;
    private static final byte SCOPE_GLOBAL = 3;
    private static final int ANY_RANK = 0xFFFF_FFFE;
    private static final int SUCCESS = 0;

    private final Arena arena = Arena.ofShared();
    private final MethodHandle init;
    private final MethodHandle put;
    private final MethodHandle commit;
    private final MethodHandle fence;
    private final MethodHandle get;
    private final MethodHandle finish;
    private final MethodHandle errorString;
    private final MemorySegment me = arena.allocate(PROC_BYTES, Integer.BYTES);

    private PmixLibrary(SymbolLookup library) {
        this.init = function(library, "PMIx_Init", ADDRESS, ADDRESS, JAVA_LONG);
        this.put = function(library, "PMIx_Put", JAVA_BYTE, ADDRESS, ADDRESS);
        this.commit = function(library, "PMIx_Commit");
        this.fence = function(library, "PMIx_Fence", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
        this.get = function(library, "PMIx_Get", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
        this.finish = function(library, "PMIx_Finalize", ADDRESS, JAVA_LONG);
        this.errorString = Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow("PMIx_Error_string"),
                        FunctionDescriptor.of(
                                ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE)),
                                JAVA_INT));
    }

    private static MethodHandle function(SymbolLookup library, String name, MemoryLayout... parameters) {
        return Linker.nativeLinker()
                .downcallHandle(library.findOrThrow(name), FunctionDescriptor.of(JAVA_INT, parameters));
    }

    /// Returns why the library can't be loaded, and the remedy; empty if it can.
    static Optional<String> missing(String name) {
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup(name, arena);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(
                    name + " can't be loaded; install libpmix2 (Debian) or pmix (Fedora): " + e.getMessage());
        }
    }

    /// Loads the library, which stays loaded.
    static PmixLibrary load() {
        return new PmixLibrary(SymbolLookup.libraryLookup(NAME, Arena.global()));
    }

    private static int call(MethodHandle function, Object... arguments) {
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException("a call of " + NAME, e);
        }
    }

    private void require(int status, String what) {
        if (status != SUCCESS) {
            MemorySegment text;
            try {
                text = (MemorySegment) errorString.invokeWithArguments(status);
            } catch (Throwable e) {
                throw new IllegalStateException("a call of " + NAME, e);
            }
            throw new CoterieException("join: " + what + ": PMIx error " + status + ", " + text.getString(0));
        }
    }

    /// Connects this process to its PMIx server.
    void open() {
        require(call(init, me, MemorySegment.NULL, 0L), "PMIx_Init");
    }

    /// Returns the number of this process in its job.
    int rank() {
        return me.get(JAVA_INT, NAMESPACE_BYTES);
    }

    /// Returns a number that the server knows of the job, or −1.
    ///
    /// @param key such as "pmix.job.size"
    int jobNumber(String key) {
        MemorySegment value = value(ANY_RANK, key);
        return value.equals(MemorySegment.NULL) || value.get(JAVA_SHORT, 0) != TYPE_UINT32
                ? -1
                : value.get(JAVA_INT, DATA);
    }

    /// Returns the bytes that a process has put before the latest fence.
    byte[] bytes(int rank, String key) {
        MemorySegment value = value(rank, key);
        if (value.equals(MemorySegment.NULL) || value.get(JAVA_SHORT, 0) != TYPE_BYTE_OBJECT) {
            throw new CoterieException("join: PMIx has no value " + key + " of rank " + rank);
        }
        long size = value.get(JAVA_LONG, DATA_SIZE);
        return value.get(ADDRESS, DATA).reinterpret(size).toArray(JAVA_BYTE);
    }

    /// Returns the value, which the library has allocated and this process keeps, or NULL.
    private MemorySegment value(int rank, String key) {
        MemorySegment process = arena.allocate(PROC_BYTES, Integer.BYTES).copyFrom(me);
        process.set(JAVA_INT, NAMESPACE_BYTES, rank);
        MemorySegment result = arena.allocate(ADDRESS);
        int status = call(get, process, arena.allocateFrom(key), MemorySegment.NULL, 0L, result);
        return status == SUCCESS ? result.get(ADDRESS, 0).reinterpret(VALUE_BYTES) : MemorySegment.NULL;
    }

    /// Stores bytes that all processes of the job can read after a fence.
    void put(String key, byte[] bytes) {
        MemorySegment value = arena.allocate(VALUE_BYTES, Long.BYTES);
        value.set(JAVA_SHORT, 0, TYPE_BYTE_OBJECT);
        value.set(ADDRESS, DATA, arena.allocateFrom(JAVA_BYTE, bytes));
        value.set(JAVA_LONG, DATA_SIZE, bytes.length);
        require(call(put, SCOPE_GLOBAL, arena.allocateFrom(key), value), "PMIx_Put");
        require(call(commit), "PMIx_Commit");
    }

    /// Waits until all processes of the job have come, and brings their values here.
    void fence() {
        MemorySegment info = arena.allocate(INFO_BYTES, Long.BYTES);
        info.asSlice(0, NAMESPACE_BYTES).copyFrom(key("pmix.collect"));
        info.set(JAVA_SHORT, INFO_VALUE, TYPE_BOOL);
        info.set(JAVA_BYTE, INFO_VALUE + DATA, (byte) 1);
        require(call(fence, MemorySegment.NULL, 0L, info, 1L), "PMIx_Fence");
    }

    private static MemorySegment key(String name) {
        byte[] key = new byte[(int) NAMESPACE_BYTES];
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, key, 0, text.length);
        return MemorySegment.ofArray(key);
    }

    /// Ends the connection to the server: the job needs it no more, and a process that ends without it counts as
    /// failed.
    void close() {
        require(call(finish, MemorySegment.NULL, 0L), "PMIx_Finalize");
        arena.close();
    }
}
