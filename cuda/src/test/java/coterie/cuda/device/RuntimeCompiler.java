// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// NVRTC, as far as a test of the header needs it; it compiles without a device.
@SuppressWarnings("restricted")
final class RuntimeCompiler {
    private final SymbolLookup library;

    private RuntimeCompiler(SymbolLookup library) {
        this.library = library;
    }

    /// Returns the library that `COTERIE_NVRTC_LIBRARY` names, or the first of the usual names that the loader finds.
    static Optional<RuntimeCompiler> find() {
        return Stream.of(System.getenv("COTERIE_NVRTC_LIBRARY"), "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
                .filter(name -> name != null && !name.isEmpty())
                .flatMap(name -> open(name).stream())
                .findFirst();
    }

    private static Optional<RuntimeCompiler> open(String name) {
        try {
            openBuiltins(Path.of(name).getParent());
            return Optional.of(new RuntimeCompiler(SymbolLookup.libraryLookup(name, Arena.global())));
        } catch (IllegalArgumentException _) {
            return Optional.empty(); // another name may be there
        }
    }

    /// NVRTC opens its second library by a plain name: the loader finds it beside the first only if it is open.
    private static void openBuiltins(Path folder) {
        if (folder == null) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "libnvrtc-builtins.so*")) {
            files.forEach(each -> SymbolLookup.libraryLookup(each, Arena.global()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Compiles a source that may include the device headers.
    ///
    /// @return its PTX
    /// @throws IllegalArgumentException with the compiler's log
    String compile(String name, String source, String... options) {
        try (Arena arena = Arena.ofConfined()) {
            List<String> headers = DeviceHeaders.NAMES;
            MemorySegment texts = arena.allocate(ADDRESS, headers.size());
            MemorySegment names = arena.allocate(ADDRESS, headers.size());
            for (int i = 0; i < headers.size(); i++) {
                texts.setAtIndex(ADDRESS, i, arena.allocateFrom(DeviceHeaders.source(headers.get(i))));
                names.setAtIndex(ADDRESS, i, arena.allocateFrom(headers.get(i)));
            }
            MemorySegment place = arena.allocate(ADDRESS);
            check(call(
                    "nvrtcCreateProgram",
                    place,
                    arena.allocateFrom(source),
                    arena.allocateFrom(name),
                    headers.size(),
                    texts,
                    names));
            MemorySegment program = place.get(ADDRESS, 0);
            try {
                MemorySegment list = arena.allocate(ADDRESS, Math.max(1, options.length));
                for (int i = 0; i < options.length; i++) {
                    list.setAtIndex(ADDRESS, i, arena.allocateFrom(options[i]));
                }
                if (call("nvrtcCompileProgram", program, options.length, list) != 0) {
                    throw new IllegalArgumentException(text(arena, program, "ProgramLog"));
                }
                return text(arena, program, "PTX");
            } finally {
                check(call("nvrtcDestroyProgram", place));
            }
        }
    }

    private String text(Arena arena, MemorySegment program, String what) {
        MemorySegment size = arena.allocate(JAVA_LONG);
        check(call("nvrtcGet" + what + "Size", program, size));
        MemorySegment text = arena.allocate(size.get(JAVA_LONG, 0));
        check(call("nvrtcGet" + what, program, text));
        return text.getString(0);
    }

    private static void check(int result) {
        if (result != 0) {
            throw new IllegalStateException("NVRTC returned " + result);
        }
    }

    private int call(String function, Object... arguments) {
        MemoryLayout[] layouts = Stream.of(arguments)
                .map(each -> each instanceof Integer ? JAVA_INT : ADDRESS)
                .toArray(MemoryLayout[]::new);
        try {
            return (int) Linker.nativeLinker()
                    .downcallHandle(library.find(function).orElseThrow(), FunctionDescriptor.of(JAVA_INT, layouts))
                    .invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError(function, e);
        }
    }
}
