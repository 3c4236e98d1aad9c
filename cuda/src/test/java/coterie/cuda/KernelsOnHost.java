// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.ElementType;
import coterie.Reduction;
import coterie.cuda.fake.FakeDriver;
import coterie.cuda.fake.FakeKernel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The kernels of [KernelEngine], compiled for the host, as kernels of a [FakeDriver]: each of a launch's threads
/// runs after the other.
@SuppressWarnings("restricted")
final class KernelsOnHost {
    private static final String PREFIX = """
            static unsigned long long first, step;
            extern "C" void coterie_place(unsigned long long f, unsigned long long s) { first = f; step = s; }
            #define COTERIE_KERNEL extern "C" void
            #define COTERIE_DEVICE static inline
            #define COTERIE_VALUE(type) const type &
            #define COTERIE_FIRST first
            #define COTERIE_STEP step
            """;

    private static final StructLayout PARTS =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(KernelEngine.MAX_MEMBERS, JAVA_LONG));

    private static final FunctionDescriptor KERNEL =
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_INT, JAVA_INT, JAVA_LONG);

    private KernelsOnHost() {}

    /// Returns the pairs that exist, by the names of their kernels.
    static Map<String, ElementType> names() {
        Map<String, ElementType> all = new LinkedHashMap<>();
        for (ElementType elements : ElementType.values()) {
            boolean isFloating = elements == ElementType.FLOAT || elements == ElementType.DOUBLE;
            for (Reduction reduction : Reduction.values()) {
                if (!isFloating || reduction.compareTo(Reduction.AND) < 0) {
                    all.put(KernelEngine.kernel(reduction, elements), elements);
                }
            }
        }
        return all;
    }

    /// Compiles the kernels, or skips the test.
    static FakeDriver driver() {
        SymbolLookup library = library();
        Linker linker = Linker.nativeLinker();
        MethodHandle place = linker.downcallHandle(
                library.find("coterie_place").orElseThrow(), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
        FakeDriver driver = new FakeDriver();
        names().forEach((name, elements) -> {
            MethodHandle kernel = linker.downcallHandle(library.find(name).orElseThrow(), KERNEL);
            int width = elements.byteSize();
            driver.kernel(
                    name,
                    List.of((int) PARTS.byteSize(), (int) PARTS.byteSize(), 4, 4, 8),
                    launch -> run(launch, place, kernel, width));
        });
        return driver;
    }

    private static SymbolLookup library() {
        try {
            Path folder = Files.createTempDirectory("coterie-kernels");
            Path library = Toolkit.compilePlus(
                    folder, PREFIX + KernelEngine.source(), folder.resolve("kernels.so"), "-shared");
            SymbolLookup found = SymbolLookup.libraryLookup(library, Arena.global());
            try (var files = Files.list(folder)) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
            }
            Files.delete(folder);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static int run(FakeKernel.Launch launch, MethodHandle place, MethodHandle kernel, int width) {
        int members = launch.arguments().get(2).get(JAVA_INT, 0);
        int written = launch.arguments().get(3).get(JAVA_INT, 0);
        long count = launch.word(4);
        MemorySegment sources = onHost(launch, 0, members, count * width);
        MemorySegment targets = onHost(launch, 1, written, count * width);
        long threads = (long) launch.grid().x() * launch.block().x();
        try {
            for (long thread = 0; thread < threads; thread++) {
                place.invokeExact(thread, threads);
                kernel.invokeExact(sources, targets, members, written, count);
            }
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return 0;
    }

    /// Translates the addresses that a launch passes to those of the host.
    private static MemorySegment onHost(FakeKernel.Launch launch, int argument, int used, long bytes) {
        MemorySegment given = launch.arguments().get(argument);
        MemorySegment translated = Arena.ofAuto().allocate(PARTS);
        for (int i = 0; i < used; i++) {
            translated.setAtIndex(
                    JAVA_LONG,
                    i,
                    launch.driver()
                            .memory(given.getAtIndex(JAVA_LONG, i), bytes)
                            .address());
        }
        return translated;
    }
}
