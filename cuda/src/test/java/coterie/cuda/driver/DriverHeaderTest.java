// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.cuda.Toolkit;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tables of the binding, compared with `cuda.h` by a C compiler.
class DriverHeaderTest {
    private static final String BEGIN = """
            #include <cuda.h>
            #include <stdint.h>
            #include <stdio.h>
            #include <string.h>
            #define TEXT(x) #x
            #define SYMBOL(x) TEXT(x)
            """;

    @TempDir
    private Path folder;

    private List<String> lines(String body) throws IOException, InterruptedException {
        Path program = Toolkit.compile(
                folder, BEGIN + "int main(void) {\n" + body + "return 0;\n}\n", folder.resolve("facts"));
        return Toolkit.output(List.of(program.toString())).lines().toList();
    }

    @Test
    @DisplayName("constants have the values of the header")
    void constants() throws IOException, InterruptedException {
        StringBuilder body = new StringBuilder();
        TreeMap<String, Integer> ours = new TreeMap<>();
        for (DriverConstant each : DriverConstant.values()) {
            body.append("printf(\"%s %d\\n\", \"" + each + "\", (int) " + each + ");\n");
            ours.put(each.name(), each.value());
        }
        TreeMap<String, Integer> theirs = new TreeMap<>();
        for (String line : lines(body.toString())) {
            theirs.put(line.substring(0, line.indexOf(' ')), Integer.valueOf(line.substring(line.indexOf(' ') + 1)));
        }
        assertThat(ours).hasSameSizeAs(DriverConstant.values()).isEqualTo(theirs);
    }

    @Test
    @DisplayName("the symbols of functions are those that the header's macros choose")
    void symbols() throws IOException, InterruptedException {
        StringBuilder body = new StringBuilder();
        List<String> ours = new ArrayList<>();
        for (DriverFunction each : DriverFunction.values()) {
            body.append("printf(\"%s\\n\", SYMBOL(" + each.functionName() + "));\n");
            ours.add(each.symbols().getFirst());
        }
        assertThat(ours).isEqualTo(lines(body.toString()));
    }

    @Test
    @DisplayName("the parameters of functions are those of the header")
    void parameters() throws IOException, InterruptedException {
        StringBuilder body = new StringBuilder();
        for (DriverFunction each : DriverFunction.values()) {
            body.append("_Static_assert(__builtin_types_compatible_p(__typeof__(&" + each.functionName()
                    + "), CUresult (*)(" + each.parameters() + ")), \"" + each + "\");\n");
        }
        assertThat(lines(body + "puts(\"good\");\n")).containsExactly("good");
    }

    @Test
    @DisplayName("types have the sizes that the binding takes them to have")
    void sizes() throws IOException, InterruptedException {
        assertThat(lines("""
                                printf("%zu %zu\\n", sizeof(CUipcMemHandle), _Alignof(CUipcMemHandle));
                                printf("%zu %zu %zu\\n", sizeof(CUdeviceptr), sizeof(CUdevice), sizeof(CUresult));
                                printf("%zu %zu %zu\\n", sizeof(CUcontext), sizeof(CUstream), sizeof(CUevent));
                                printf("%zu %zu\\n", sizeof(CUjit_option), sizeof(CUstreamCaptureStatus));
                                """))
                .containsExactly(Words.HANDLE.byteSize() + " " + Words.HANDLE.byteAlignment(), "8 4 4", "8 8 8", "4 4");
    }

    /// What a function of the library returns.
    private static int result(DriverFunction function) {
        return 1000 + Arrays.asList(DriverFunction.values()).indexOf(function);
    }

    /// A library whose functions record their arguments; its symbols are those that the header's macros make.
    private static String recorder() {
        StringBuilder source = new StringBuilder(BEGIN + "uint64_t recorded[64];\n");
        for (DriverFunction each : DriverFunction.values()) {
            String[] types = each.parameters().split(",", -1);
            StringBuilder parameters = new StringBuilder();
            StringBuilder body = new StringBuilder("memset(recorded, 0, sizeof recorded);\n");
            for (int i = 0; i < types.length; i++) {
                String type = types[i].strip();
                parameters.append(i == 0 ? "" : ", ").append(type).append(" p").append(i);
                if (type.equals("CUipcMemHandle")) {
                    body.append("memcpy(recorded + 32, &p" + i + ", sizeof p" + i + ");\n");
                } else {
                    body.append("recorded[" + i + "] = (uint64_t) p" + i + ";\n");
                }
            }
            source.append("CUresult " + each.functionName() + "(" + parameters + ") {\n" + body + "return (CUresult) "
                    + result(each) + ";\n}\n");
        }
        return source.toString();
    }

    @Test
    @DisplayName("a compiled library gets the arguments that the binding passes, on registers and on the stack")
    void conventions() throws IOException, InterruptedException {
        Path library = Toolkit.compile(folder, recorder(), folder.resolve("recorder.so"), "-shared");
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup symbols = symbols(library, arena);
            LibCuda driver = LibCuda.over(symbols);
            MemorySegment recorded = recorded(symbols);
            for (DriverFunction each : DriverFunction.values()) {
                long[] words = new long[each.arity()];
                for (int i = 0; i < words.length; i++) {
                    words[i] = 100L + i;
                }
                MemorySegment handle = arena.allocate(64);
                handle.fill((byte) 9);
                int result = call(driver, each, words, handle);
                assertThat(result).as("result of %s", each).isEqualTo(result(each));
                for (int i = 0; i < words.length; i++) {
                    boolean isHandle = each == DriverFunction.IPC_OPEN_MEM_HANDLE && i == 1;
                    boolean isExtra = each == DriverFunction.LAUNCH_KERNEL && i == 10;
                    assertThat(recorded.getAtIndex(JAVA_LONG, i))
                            .as("word %s of %s", i, each)
                            .isEqualTo(isHandle || isExtra ? 0 : 100L + i);
                }
                if (each == DriverFunction.IPC_OPEN_MEM_HANDLE) {
                    assertThat(recorded.asSlice(32 * Long.BYTES, 64).toArray(JAVA_BYTE))
                            .containsOnly(9);
                }
            }
            driver.call(DriverFunction.MEM_ALLOC, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1);
            assertThat(recorded.getAtIndex(JAVA_LONG, 0))
                    .as("all bits of a pointer")
                    .isEqualTo(Long.MIN_VALUE + 1);
            assertThat(recorded.getAtIndex(JAVA_LONG, 1))
                    .as("all bits of a size")
                    .isEqualTo(Long.MAX_VALUE - 1);
        }
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup symbols(Path library, Arena arena) {
        return SymbolLookup.libraryLookup(library, arena);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment recorded(SymbolLookup symbols) {
        return symbols.find("recorded").orElseThrow().reinterpret(64 * Long.BYTES);
    }

    private static int call(LibCuda driver, DriverFunction function, long[] w, MemorySegment handle) {
        return switch (w.length) {
            case 1 -> driver.call(function, w[0]);
            case 2 -> driver.call(function, w[0], w[1]);
            case 3 ->
                function == DriverFunction.IPC_OPEN_MEM_HANDLE
                        ? driver.openHandle(w[0], handle, (int) w[2])
                        : driver.call(function, w[0], w[1], w[2]);
            case 4 -> driver.call(function, w[0], w[1], w[2], w[3]);
            case 5 -> driver.call(function, w[0], w[1], w[2], w[3], w[4]);
            default ->
                driver.launch(
                        function,
                        w[0],
                        (int) w[1],
                        (int) w[2],
                        (int) w[3],
                        (int) w[4],
                        (int) w[5],
                        (int) w[6],
                        (int) w[7],
                        w[8],
                        w[9]);
        };
    }

    @Test
    @DisplayName("a missing library, and one without a function, are refused with the remedy")
    void missing() throws IOException, InterruptedException {
        assertThat(LibCuda.missing("libcuda-not-here.so.1"))
                .contains("libcuda-not-here.so.1 not found", "NVIDIA driver", "COTERIE_CUDA_LIBRARY");
        Path library =
                Toolkit.compile(folder, recorder().replace("cuMemAlloc(", "old("), folder.resolve("old.so"), "-shared");
        assertThat(LibCuda.missing(library.toString())).contains("it has no cuMemAlloc_v2", "CUDA 12.0 or later");
    }
}
