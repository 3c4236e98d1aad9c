// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

/// The device header compiled for threads of a CPU, with the programs of `kernels.cpp`.
final class NativeKernels {
    /// Where the group's number of threads is in `host_group` of the header.
    private static final long GROUP_COUNT = 32;

    private static final Object LOADING = new Object();
    private static SymbolLookup loaded;

    private final SymbolLookup library;
    private final Map<String, MethodHandle> functions = new ConcurrentHashMap<>();

    private NativeKernels(SymbolLookup library) {
        this.library = library;
    }

    /// Compiles the programs, once in this JVM and machine, or skips the test.
    static NativeKernels open() {
        Optional<CommandLineTool> compiler = CommandLineTool.cxx();
        assumeTrue(compiler.isPresent(), "skipped: no C++ compiler");
        synchronized (LOADING) {
            if (loaded == null) {
                loaded = load(compiler.orElseThrow());
            }
            return new NativeKernels(loaded);
        }
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup load(CommandLineTool compiler) {
        try {
            Path folder = Files.createTempDirectory("coterie-kernels");
            Path library = folder.resolve("kernels.so");
            compiler.compile(
                    "-std=c++17",
                    "-O2",
                    "-ffp-contract=off",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-shared",
                    "-fPIC",
                    "-I",
                    CommandLineTool.headers(),
                    "-o",
                    library.toString(),
                    CommandLineTool.resource("kernels.cpp").toString());
            SymbolLookup found = SymbolLookup.libraryLookup(library, Arena.global());
            Files.delete(library);
            Files.delete(folder);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes the calling thread one of a group.
    @SuppressWarnings("restricted")
    private void enter(long group, int index) {
        MethodHandle function = functions.computeIfAbsent(
                "kernel_enter",
                name -> Linker.nativeLinker()
                        .downcallHandle(
                                library.find(name).orElseThrow(), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT)));
        try {
            function.invokeExact(group, index);
        } catch (Throwable e) {
            throw new AssertionError("kernel_enter", e);
        }
    }

    /// Calls a program with arguments that are `Integer`s and `Long`s; a `Long` is a number or an address.
    @SuppressWarnings("restricted")
    int call(String program, Object... arguments) {
        MethodHandle function = functions.computeIfAbsent(program, name -> {
            MemoryLayout[] layouts = Stream.of(arguments)
                    .map(each -> each instanceof Integer ? JAVA_INT : JAVA_LONG)
                    .toArray(MemoryLayout[]::new);
            return Linker.nativeLinker()
                    .downcallHandle(library.find(name).orElseThrow(), FunctionDescriptor.of(JAVA_INT, layouts));
        });
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError(program, e);
        }
    }

    /// Runs a program on the threads of a block, and returns a result that is not 0, if there is one; the program gets
    /// the number of its thread.
    int block(int threads, IntUnaryOperator program) {
        try (Arena arena = Arena.ofShared()) {
            AtomicIntegerArray results = new AtomicIntegerArray(threads);
            MemorySegment made = arena.allocate(64, 8);
            made.set(JAVA_INT, GROUP_COUNT, threads);
            long group = made.address();
            Thread[] all = new Thread[threads];
            for (int i = 0; i < threads; i++) {
                int index = i;
                all[i] = new Thread(() -> {
                    results.set(index, -1);
                    enter(group, index);
                    results.set(index, program.applyAsInt(index));
                });
            }
            for (Thread each : all) {
                each.start();
            }
            int worst = 0;
            for (int i = 0; i < all.length; i++) {
                join(all[i]);
                worst = results.get(i) != 0 ? results.get(i) : worst;
            }
            return worst;
        }
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
