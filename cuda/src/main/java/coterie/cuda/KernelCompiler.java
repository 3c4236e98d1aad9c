// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.util.Objects.requireNonNull;

import coterie.cuda.device.DeviceHeaders;
import coterie.cuda.nvrtc.LibNvrtc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Compiles sources of kernels for a device, with the headers of this module.
final class KernelCompiler {
    private static final List<String> ARCHITECTURE_OPTIONS = List.of("--gpu-architecture", "-arch");
    private static final int COMPILATION_ERROR = 6;

    private KernelCompiler() {}

    /// @throws CudaCompilationException if the source has errors
    static byte[] compile(LibNvrtc compiler, DeviceContext context, String name, String source, String... options) {
        requireNonNull(name, "compile: name is null");
        requireNonNull(source, "compile: source is null");
        List<String> all = new ArrayList<>(List.of(options));
        if (all.stream().noneMatch(KernelCompiler::namesArchitecture)) {
            all.addFirst(architecture(compiler, context.device));
        }
        LibNvrtc.Compiled compiled = compiler.compile(name, source, headers(), all);
        if (compiled.result() != 0) {
            String what = compiled.result() == COMPILATION_ERROR
                    ? "\"" + name + "\" has errors"
                    : "NVRTC " + compiler.version() + " can't compile \"" + name + "\", error " + compiled.result();
            throw new CudaCompilationException(context.prefix("compile") + what + ", options " + all, compiled.log());
        }
        return compiled.image();
    }

    private static boolean namesArchitecture(String option) {
        return ARCHITECTURE_OPTIONS.stream().anyMatch(option::startsWith);
    }

    /// Returns the option for machine code of the device, or for PTX of the newest architecture that the
    /// compiler knows if the device is newer: the driver translates that.
    private static String architecture(LibNvrtc compiler, CudaDevice device) {
        int asked = 10 * device.major() + device.minor();
        int newest = 0;
        for (int each : compiler.architectures()) {
            if (each == asked) {
                return "--gpu-architecture=sm_" + asked;
            }
            newest = each < asked ? Math.max(newest, each) : newest;
        }
        return "--gpu-architecture=compute_" + (newest == 0 ? asked : newest);
    }

    /// Returns the device headers by their names.
    static Map<String, String> headers() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String each : DeviceHeaders.NAMES) {
            texts.put(each, DeviceHeaders.source(each));
        }
        return texts;
    }
}
