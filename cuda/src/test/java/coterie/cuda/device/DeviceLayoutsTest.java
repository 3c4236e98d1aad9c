// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.cuda.DeviceError;
import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Java layouts and constants beside what compilers make of the header.
class DeviceLayoutsTest {
    @TempDir
    Path folder;

    @Test
    @NeedsTools(Tool.CXX)
    @DisplayName("sizes, offsets and constants are those of the header for a C++ compiler")
    void cxx() throws IOException {
        compare(CommandLineTool.cxx(), "layouts.cpp", "-std=c++17");
    }

    @Test
    @NeedsTools(Tool.NVCC)
    @DisplayName("sizes, offsets and constants are those of the header for nvcc")
    void nvcc() throws IOException {
        compare(CommandLineTool.nvcc(), "layouts.cu", "-std=c++17");
    }

    private void compare(CommandLineTool compiler, String name, String standard) throws IOException {
        Map<String, Long> expected = expected();
        Path source = folder.resolve(name);
        Path program = folder.resolve("layouts");
        Files.writeString(source, program(expected.keySet()));
        compiler.compile(standard, "-I", CommandLineTool.headers(), "-o", program.toString(), source.toString());
        Map<String, Long> found = new LinkedHashMap<>();
        for (String line : new CommandLineTool(program).run().output().split("\n", -1)) {
            int space = line.lastIndexOf(' ');
            if (space > 0) {
                found.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    /// What the two sides must agree on, by the expression of C.
    private static Map<String, Long> expected() {
        Map<String, Long> expected = new LinkedHashMap<>();
        for (StructLayout struct : DeviceLayouts.ALL) {
            String name = struct.name().orElseThrow();
            expected.put("sizeof(" + name + ")", struct.byteSize());
            for (MemoryLayout field : struct.memberLayouts()) {
                String member = field.name().orElseThrow();
                expected.put("__builtin_offsetof(" + name + ", " + member + ")", DeviceLayouts.offset(struct, member));
                expected.put("sizeof(((" + name + " *)0)->" + member + ")", field.byteSize());
            }
        }
        expected.put("COTERIE_VERSION", (long) DeviceLayouts.VERSION);
        expected.put("COTERIE_BARRIER_WORDS", (long) DeviceLayouts.BARRIER_WORDS);
        for (DeviceError each : DeviceError.values()) {
            expected.put("COTERIE_" + each.name(), (long) each.code());
        }
        Comparison[] comparisons = Comparison.values();
        for (int i = 0; i < comparisons.length; i++) {
            expected.put("COTERIE_" + comparisons[i].name(), (long) i);
        }
        put(expected, "COTERIE_OP_PUT", RingLayout.PUT);
        put(expected, "COTERIE_OP_PUT_VALUE", RingLayout.PUT_VALUE);
        put(expected, "COTERIE_OP_GET", RingLayout.GET);
        put(expected, "COTERIE_OP_ATOMIC", RingLayout.ATOMIC);
        put(expected, "COTERIE_OP_SIGNAL", RingLayout.SIGNAL);
        put(expected, "COTERIE_OP_FENCE", RingLayout.FENCE);
        put(expected, "COTERIE_OP_QUIET", RingLayout.QUIET);
        put(expected, "COTERIE_OP_COUNT", RingLayout.COUNT);
        put(expected, "COTERIE_OP_SIGNAL_WAIT", RingLayout.SIGNAL_WAIT);
        put(expected, "COTERIE_OP_BARRIER", RingLayout.BARRIER);
        put(expected, "COTERIE_OP_RING_SPACE", RingLayout.RING_SPACE);
        put(expected, "COTERIE_OP_COMPLETION", RingLayout.COMPLETION);
        put(expected, "COTERIE_OP_FLUSH", RingLayout.FLUSH);
        put(expected, "COTERIE_OP_REDUCE", RingLayout.REDUCE);
        put(expected, "COTERIE_OP_ALL_TO_ALL", RingLayout.ALL_TO_ALL);
        put(expected, "COTERIE_SIGNAL_SET", RingLayout.SIGNAL_SET);
        put(expected, "COTERIE_SIGNAL_ADD", RingLayout.SIGNAL_ADD);
        List<Integer> atomics = List.of(
                RingLayout.ATOMIC_FETCH,
                RingLayout.ATOMIC_SET,
                RingLayout.ATOMIC_SWAP,
                RingLayout.ATOMIC_ADD,
                RingLayout.ATOMIC_AND,
                RingLayout.ATOMIC_OR,
                RingLayout.ATOMIC_XOR,
                RingLayout.ATOMIC_COMPARE_SWAP,
                RingLayout.ATOMIC_ADD_FLOATING,
                RingLayout.ATOMIC_ADD_BFLOAT16);
        List<String> names = List.of(
                "fetch", "set", "swap", "add", "and", "or", "xor", "compare_swap", "add_floating", "add_bfloat16");
        for (int i = 0; i < names.size(); i++) {
            put(expected, "COTERIE_ATOMIC_" + names.get(i).toUpperCase(Locale.ROOT), atomics.get(i));
        }
        return expected;
    }

    private static void put(Map<String, Long> expected, String name, int value) {
        expected.put(name, (long) value);
    }

    private static String program(Iterable<String> expressions) {
        List<String> lines = new ArrayList<>();
        for (String each : expressions) {
            lines.add("    printf(\"%s %lld\\n\", \"" + each + "\", (long long)(" + each + "));");
        }
        return "#include <cstdio>\n#include \"coterie_types.cuh\"\nint main() {\n" + String.join("\n", lines)
                + "\n    return 0;\n}\n";
    }
}
