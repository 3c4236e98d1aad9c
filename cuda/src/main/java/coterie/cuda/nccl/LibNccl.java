// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nccl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CoterieException;
import coterie.cuda.driver.LoadedLibraries;
import coterie.cuda.driver.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/// The NCCL of this process. Calls return NCCL's result, `ncclResult_t`.
///
/// Threads: any platform thread with a context of the driver; one at a time for a communicator.
@SuppressWarnings("restricted")
public final class LibNccl {
    /// NCCL's library.
    public static final String NAME = "libnccl.so.2";

    /// `NCCL_UNIQUE_ID_BYTES`
    public static final int ID_BYTES = 128;

    /// The first version with communicators that do not block.
    static final int LEAST_VERSION = 21_400;

    /// `ncclUniqueId`, which travels by value.
    static final StructLayout ID = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(ID_BYTES, JAVA_BYTE));

    /// `ncclConfig_t` as version 2.14 had it. A later NCCL copies as many bytes as `size` says, and takes defaults
    /// for the fields that `version` did not have.
    static final StructLayout CONFIG = MemoryLayout.structLayout(
            JAVA_LONG.withName("size"),
            JAVA_INT.withName("magic"),
            JAVA_INT.withName("version"),
            JAVA_INT.withName("blocking"),
            MemoryLayout.paddingLayout(4));

    /// What `NCCL_CONFIG_INITIALIZER` has as `magic`.
    static final int MAGIC = 0xcafebeef;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle INIT =
            LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, ID, JAVA_INT, JAVA_LONG));
    private static final MethodHandle TEXT = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final LoadedLibraries<LibNccl> LOADED = new LoadedLibraries<>(name -> LoadedLibraries.bind(
            name,
            "install NCCL (package libnccl2 or nvidia-nccl), add its folder to LD_LIBRARY_PATH, or set"
                    + " COTERIE_NCCL_LIBRARY to the file",
            LibNccl::over,
            "install NCCL 2.14 or later"));

    private final MemorySegment[] functions = new MemorySegment[NcclFunction.values().length];

    private LibNccl(SymbolLookup library) {
        for (NcclFunction each : NcclFunction.values()) {
            functions[each.ordinal()] =
                    library.find(each.symbol()).orElseThrow(() -> new CoterieException("it has no " + each.symbol()));
        }
        if (version() < LEAST_VERSION) {
            throw new CoterieException("it has version " + versionText());
        }
    }

    /// Returns why this process has no usable NCCL, and the remedy; empty if it has one.
    ///
    /// @param name of the library; empty for [#NAME]
    public static String missing(String name) {
        return LOADED.missing(nameOf(name));
    }

    /// Returns the NCCL of this process, which loads it at the first call.
    ///
    /// @param name of the library; empty for [#NAME]
    /// @throws CoterieException with the reason of [#missing]
    public static LibNccl get(String name) {
        return LOADED.get(nameOf(name));
    }

    private static String nameOf(String name) {
        return name.isEmpty() ? NAME : name;
    }

    /// Returns an NCCL with these functions; for [#get] and for tests.
    ///
    /// @throws CoterieException if one is missing, or the version is too old
    public static LibNccl over(SymbolLookup library) {
        return new LibNccl(library);
    }

    /// Returns the version: 10000 × major + 100 × minor + patch.
    public int version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(JAVA_INT);
            call(NcclFunction.GET_VERSION, version.address(), 0, 0, 0, 0, 0, 0);
            return version.get(JAVA_INT, 0);
        }
    }

    /// Returns the version, such as "2.30.7".
    public String versionText() {
        int version = version();
        return version < 10_000 // 2.8 and earlier counted otherwise
                ? version / 1000 + "." + version / 100 % 10 + "." + version % 100
                : version / 10_000 + "." + version / 100 % 100 + "." + version % 100;
    }

    /// Calls a function of up to seven parameters; those beyond its own are 0.
    public int call(NcclFunction function, long a, long b, long c, long d, long e, long f, long g) {
        return Words.call(functions[function.ordinal()], a, b, c, d, e, f, g);
    }

    /// Calls a function of eight parameters.
    public int call(NcclFunction function, long a, long b, long c, long d, long e, long f, long g, long h) {
        return Words.call(functions[function.ordinal()], a, b, c, d, e, f, g, h, 0, 0, 0);
    }

    /// Connects a member, in a thread of NCCL: [NcclFunction#COMM_GET_ASYNC_ERROR] tells the end.
    ///
    /// @param result where NCCL writes the communicator
    /// @param id [#ID_BYTES] from [NcclFunction#GET_UNIQUE_ID] on one member
    public int connect(MemorySegment result, int size, MemorySegment id, int member) {
        return connect(result, size, id, member, MAGIC);
    }

    /// Connects with another number as the structure's `magic`, for a test.
    int connect(MemorySegment result, int size, MemorySegment id, int member, int magic) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = arena.allocate(CONFIG);
            config.set(JAVA_LONG, 0, CONFIG.byteSize());
            config.set(JAVA_INT, 8, magic);
            config.set(JAVA_INT, 12, LEAST_VERSION);
            config.set(JAVA_INT, 16, 0); // does not block: the PE goes on while it waits for other members
            MemorySegment copy = arena.allocate(ID).copyFrom(id);
            MemorySegment function = functions[NcclFunction.COMM_INIT_RANK_CONFIG.ordinal()];
            return (int) INIT.invokeExact(function, result.address(), size, copy, member, config.address());
        } catch (Throwable impossible) {
            throw new AssertionError("a foreign function can't throw", impossible);
        }
    }

    /// Returns name, number and text of a result, and what NCCL says of the last error.
    ///
    /// @param communicator 0 if there is none
    public String describe(int result, long communicator) {
        String last = text(NcclFunction.GET_LAST_ERROR, communicator);
        return NcclConstant.result(result) + " (" + result + "), " + text(NcclFunction.GET_ERROR_STRING, result)
                + (last.isBlank() ? "" : "; " + last.strip());
    }

    private String text(NcclFunction function, long argument) {
        try {
            return Words.text((long) TEXT.invokeExact(functions[function.ordinal()], argument));
        } catch (Throwable impossible) {
            throw new AssertionError("a foreign function can't throw", impossible);
        }
    }
}
