// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nvrtc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CoterieException;
import coterie.cuda.driver.LibCuda;
import coterie.cuda.driver.LoadedLibraries;
import coterie.cuda.driver.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The compiler of this process. It needs neither a driver nor a device.
///
/// Threads: any; compilations of several threads may run one after the other.
@SuppressWarnings("restricted")
public final class LibNvrtc {
    private static final String NEWEST_FIRST = "libnvrtc.so.13:libnvrtc.so.12:libnvrtc.so";

    /// A driver of CUDA 12 does not load what NVRTC 13 makes.
    private static final String FOR_CUDA_12 = "libnvrtc.so.12:libnvrtc.so.13:libnvrtc.so";

    /// Folders of a toolkit, where a machine has no entry for the library's folder.
    private static final List<String> HOMES = List.of("CUDA_HOME", "CUDA_PATH");

    private static final LoadedLibraries<LibNvrtc> LOADED = new LoadedLibraries<>(LibNvrtc::load);

    private final MemorySegment[] functions = new MemorySegment[NvrtcFunction.values().length];

    private LibNvrtc(SymbolLookup library) {
        for (NvrtcFunction each : NvrtcFunction.values()) {
            functions[each.ordinal()] =
                    library.find(each.symbol()).orElseThrow(() -> new CoterieException("it has no " + each.symbol()));
        }
    }

    /// What a compilation has made.
    ///
    /// @param image machine code or PTX; empty if there are errors
    /// @param log what the compiler has printed
    /// @param result 0, or the number of an error of NVRTC
    @SuppressWarnings("ArrayRecordComponent") // nothing compares two of them
    public record Compiled(byte[] image, String log, int result) {}

    /// @param asked names of libraries, in the order in which they are tried; or a file
    private static LibNvrtc load(String asked) {
        List<String> names = asked.contains("/") ? List.of(asked) : List.of(asked.split(":", -1));
        for (String each : candidates(names)) {
            SymbolLookup library = library(each);
            if (library != null) {
                return of(each, library);
            }
        }
        throw new CoterieException(String.join(", ", names)
                + " not found: install NVRTC (package cuda-nvrtc or libnvrtc, or the CUDA toolkit), add its folder to"
                + " LD_LIBRARY_PATH, set CUDA_HOME, or set COTERIE_NVRTC_LIBRARY to the file");
    }

    private static @Nullable SymbolLookup library(String name) {
        try {
            if (name.contains("/")) {
                loadBuiltins(Path.of(name).toAbsolutePath().getParent());
            }
            return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Loads the second library of NVRTC, which lies beside the first: NVRTC looks for it by its name alone, and does
    /// not find it in a folder that no setting of the system lists.
    private static void loadBuiltins(@Nullable Path folder) {
        if (folder == null || !Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "libnvrtc-builtins.so.*")) {
            for (Path each : files) {
                SymbolLookup.libraryLookup(each, Arena.global());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't list " + folder, e);
        }
    }

    private static LibNvrtc of(String name, SymbolLookup library) {
        try {
            return new LibNvrtc(library);
        } catch (CoterieException e) {
            throw new CoterieException(name + " can't be used, as " + e.getMessage() + ": install NVRTC 12 or 13", e);
        }
    }

    private static List<String> candidates(List<String> names) {
        List<String> all = new ArrayList<>(names);
        for (String home : names.size() > 1 ? HOMES : List.<String>of()) {
            String folder = System.getenv(home);
            if (folder != null) {
                names.forEach(name -> all.add(folder + "/lib64/" + name));
            }
        }
        return all;
    }

    /// Returns the name for [#get] and [#missing] of the compiler for a driver.
    ///
    /// @param file that users have set, or empty
    public static String nameFor(LibCuda driver, String file) {
        return file.isEmpty() && driver.majorVersion() < 13 ? FOR_CUDA_12 : file;
    }

    /// Returns why this process has no usable compiler, and the remedy; empty if it has one.
    ///
    /// @param name of the library, or its file; empty for those that NVIDIA installs, the newest first
    public static String missing(String name) {
        return LOADED.missing(name.isEmpty() ? NEWEST_FIRST : name);
    }

    /// Returns the compiler of this process, which loads it at the first call.
    ///
    /// @param name as in [#missing]
    /// @throws CoterieException with the reason of [#missing]
    public static LibNvrtc get(String name) {
        return LOADED.get(name.isEmpty() ? NEWEST_FIRST : name);
    }

    private int call(NvrtcFunction function, long a, long b, long c, long d, long e, long f) {
        return Words.call(functions[function.ordinal()], a, b, c, d, e, f, 0);
    }

    private int call(NvrtcFunction function, long a, long b) {
        return call(function, a, b, 0, 0, 0, 0);
    }

    /// Returns the version, such as "13.0".
    public String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment parts = arena.allocate(JAVA_INT, 2);
            call(NvrtcFunction.VERSION, parts.address(), parts.address() + Integer.BYTES);
            return parts.get(JAVA_INT, 0) + "." + parts.get(JAVA_INT, Integer.BYTES);
        }
    }

    /// Returns the architectures that it compiles for, such as 90 for a compute capability of 9.0.
    public Set<Integer> architectures() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            call(NvrtcFunction.GET_NUM_SUPPORTED_ARCHS, count.address(), 0);
            MemorySegment all = arena.allocate(JAVA_INT, Math.max(1, count.get(JAVA_INT, 0)));
            call(NvrtcFunction.GET_SUPPORTED_ARCHS, all.address(), 0);
            Set<Integer> architectures = new TreeSet<>();
            for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
                architectures.add(all.getAtIndex(JAVA_INT, i));
            }
            return architectures;
        }
    }

    /// Compiles a source.
    ///
    /// @param name of the source for messages
    /// @param headers texts by the names with which sources include them
    /// @param options such as "--gpu-architecture=sm_90"
    public Compiled compile(String name, String source, Map<String, String> headers, List<String> options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(JAVA_LONG);
            List<String> names = List.copyOf(headers.keySet());
            int made = call(
                    NvrtcFunction.CREATE_PROGRAM,
                    program.address(),
                    arena.allocateFrom(source).address(),
                    arena.allocateFrom(name).address(),
                    names.size(),
                    texts(
                            arena,
                            names.stream()
                                    .map(each -> headers.getOrDefault(each, ""))
                                    .toList()),
                    texts(arena, names));
            if (made != 0) {
                return new Compiled(new byte[0], "", made);
            }
            long handle = program.get(JAVA_LONG, 0);
            try {
                int result =
                        call(NvrtcFunction.COMPILE_PROGRAM, handle, options.size(), texts(arena, options), 0, 0, 0);
                byte[] log = bytes(arena, handle, NvrtcFunction.GET_PROGRAM_LOG_SIZE, NvrtcFunction.GET_PROGRAM_LOG);
                return new Compiled(result == 0 ? image(arena, handle) : new byte[0], text(log), result);
            } finally {
                call(NvrtcFunction.DESTROY_PROGRAM, program.address(), 0);
            }
        }
    }

    /// Returns the machine code, or the PTX if the architecture has no machine code.
    private byte[] image(Arena arena, long program) {
        byte[] code = bytes(arena, program, NvrtcFunction.GET_CUBIN_SIZE, NvrtcFunction.GET_CUBIN);
        return code.length > 0 ? code : bytes(arena, program, NvrtcFunction.GET_PTX_SIZE, NvrtcFunction.GET_PTX);
    }

    private byte[] bytes(Arena arena, long program, NvrtcFunction sizeOf, NvrtcFunction copy) {
        MemorySegment size = arena.allocate(JAVA_LONG);
        if (call(sizeOf, program, size.address()) != 0 || size.get(JAVA_LONG, 0) == 0) {
            return new byte[0];
        }
        MemorySegment bytes = arena.allocate(size.get(JAVA_LONG, 0));
        return call(copy, program, bytes.address()) == 0 ? bytes.toArray(JAVA_BYTE) : new byte[0];
    }

    private static String text(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    private static long texts(Arena arena, List<String> texts) {
        MemorySegment addresses = arena.allocate(JAVA_LONG, Math.max(1, texts.size()));
        for (int i = 0; i < texts.size(); i++) {
            addresses.setAtIndex(JAVA_LONG, i, arena.allocateFrom(texts.get(i)).address());
        }
        return addresses.address();
    }
}
