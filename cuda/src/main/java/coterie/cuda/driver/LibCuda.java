// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CoterieException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The driver of this process. Calls return the driver's result, `CUresult`, and write other results where a
/// caller says, so that a call allocates nothing.
///
/// Threads: any platform thread. A virtual thread must not call: the driver keeps its context per thread.
public final class LibCuda {
    /// The driver's library.
    public static final String NAME = "libcuda.so.1";

    private static final LoadedLibraries<LibCuda> LOADED = new LoadedLibraries<>(name -> LoadedLibraries.bind(
            name,
            "install the NVIDIA driver, in a container start it with the driver's libraries (--gpus all), or set"
                    + " COTERIE_CUDA_LIBRARY to the file",
            LibCuda::over,
            "install an NVIDIA driver of CUDA 12.0 or later"));

    private final @Nullable MemorySegment[] functions = new MemorySegment[DriverFunction.values().length];
    private final HostRegistrations registrations = new HostRegistrations(this);

    private LibCuda(SymbolLookup library) {
        StringJoiner missing = new StringJoiner(", ");
        for (DriverFunction each : DriverFunction.values()) {
            MemorySegment found = each.symbols().stream()
                    .flatMap(symbol -> library.find(symbol).stream())
                    .findFirst()
                    .orElse(null);
            functions[each.ordinal()] = found;
            if (found == null && !each.isOptional()) {
                missing.add(each.symbols().getFirst());
            }
        }
        if (missing.length() > 0) {
            throw new CoterieException("it has no " + missing);
        }
    }

    /// Returns why this process has no usable driver, and the remedy; empty if it has one.
    ///
    /// @param name of the library; empty for [#NAME]
    public static String missing(String name) {
        return LOADED.missing(nameOf(name));
    }

    /// Returns the driver of this process, which loads it at the first call.
    ///
    /// @param name of the library; empty for [#NAME]
    /// @throws CoterieException with the reason of [#missing]
    public static LibCuda get(String name) {
        return LOADED.get(nameOf(name));
    }

    private static String nameOf(String name) {
        return name.isEmpty() ? NAME : name;
    }

    /// Returns a driver with these functions; for [#get] and for tests.
    ///
    /// @throws CoterieException if one is missing that is not optional
    public static LibCuda over(SymbolLookup library) {
        return new LibCuda(library);
    }

    /// Returns the pages of the host that this process has registered.
    public HostRegistrations registrations() {
        return registrations;
    }

    /// Returns whether the driver has a function that not all have.
    public boolean has(DriverFunction function) {
        return functions[function.ordinal()] != null;
    }

    private MemorySegment address(DriverFunction function, int words) {
        MemorySegment address = functions[function.ordinal()];
        if (address == null) {
            throw new CoterieException("this driver has no " + function.functionName() + "; install a newer one");
        }
        assert function.arity() == words : function + " takes " + function.arity() + " words, not " + words;
        return address;
    }

    /// Calls a function of one parameter.
    public int call(DriverFunction function, long a) {
        return Words.call(address(function, 1), a, 0, 0, 0, 0, 0, 0);
    }

    /// Calls a function of two parameters.
    public int call(DriverFunction function, long a, long b) {
        return Words.call(address(function, 2), a, b, 0, 0, 0, 0, 0);
    }

    /// Calls a function of three parameters.
    public int call(DriverFunction function, long a, long b, long c) {
        return Words.call(address(function, 3), a, b, c, 0, 0, 0, 0);
    }

    /// Calls a function of four parameters.
    public int call(DriverFunction function, long a, long b, long c, long d) {
        return Words.call(address(function, 4), a, b, c, d, 0, 0, 0);
    }

    /// Calls a function of five parameters.
    public int call(DriverFunction function, long a, long b, long c, long d, long e) {
        return Words.call(address(function, 5), a, b, c, d, e, 0, 0);
    }

    /// Opens a handle of another process, [DriverFunction#IPC_OPEN_MEM_HANDLE].
    ///
    /// @param result where the driver writes the address
    /// @param handle 64 bytes
    public int openHandle(long result, MemorySegment handle, int flags) {
        return Words.call(address(DriverFunction.IPC_OPEN_MEM_HANDLE, 3), result, handle, flags);
    }

    /// Launches a kernel.
    ///
    /// @param function [DriverFunction#LAUNCH_KERNEL], or [DriverFunction#LAUNCH_COOPERATIVE_KERNEL] if the
    ///     kernel's blocks may wait for each other
    /// @param parameters the address of an array of the addresses of the arguments
    public int launch(
            DriverFunction function,
            long kernel,
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int sharedBytes,
            long stream,
            long parameters) {
        return Words.call(
                address(function, function.arity()),
                kernel,
                gridX,
                gridY,
                gridZ,
                blockX,
                blockY,
                blockZ,
                sharedBytes,
                stream,
                parameters,
                0);
    }

    /// Returns the name of a result, such as `CUDA_ERROR_OUT_OF_MEMORY`.
    public String name(int result) {
        return text(DriverFunction.GET_ERROR_NAME, result, "CUDA_ERROR_" + result);
    }

    /// Returns the driver's text for a result, such as "out of memory".
    public String explanation(int result) {
        return text(DriverFunction.GET_ERROR_STRING, result, "a result that the driver does not know");
    }

    private String text(DriverFunction function, int result, String unknown) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(JAVA_LONG);
            return call(function, result, text.address()) == DriverConstant.CUDA_SUCCESS.value()
                    ? Words.text(text.get(JAVA_LONG, 0))
                    : unknown;
        }
    }

    /// Returns the driver's version of CUDA, such as "13.0".
    public String version() {
        int number = versionNumber();
        return number / 1000 + "." + number % 1000 / 10;
    }

    /// Returns the first number of [#version].
    public int majorVersion() {
        return versionNumber() / 1000;
    }

    private int versionNumber() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(JAVA_INT);
            call(DriverFunction.DRIVER_GET_VERSION, version.address());
            return version.get(JAVA_INT, 0);
        }
    }
}
