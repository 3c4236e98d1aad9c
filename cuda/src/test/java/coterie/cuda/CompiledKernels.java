// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.World;
import coterie.cuda.nvrtc.LibNvrtc;
import coterie.spi.FaceSupport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/// Sources of kernels that many tests compile, each time for seconds. Where the system property
/// `coterie.cuda.kernels` names a folder, what the compiler makes stays there, and is loaded by the next test that
/// has the same source, headers, compiler and architecture.
final class CompiledKernels {
    private CompiledKernels() {}

    /// Loads the kernels of a source, on all PEs.
    static CudaModule load(Cuda cuda, String name, String source) {
        String folder = System.getProperty("coterie.cuda.kernels", "");
        if (folder.isEmpty()) {
            return cuda.compile(name, source);
        }
        World world = cuda.world();
        String library = FaceSupport.of(world).setting("NVRTC_LIBRARY");
        LibNvrtc compiler = LibNvrtc.get(LibNvrtc.nameFor(cuda.context().driver, library));
        String device = cuda.device().major() + "." + cuda.device().minor();
        String all = compiler.version() + " " + device + " " + name + source + KernelCompiler.headers();
        UUID key = UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8));
        Path file = Path.of(folder, key.toString());
        try {
            if (world.pe() == 0 && !Files.exists(file)) {
                Files.createDirectories(file.getParent());
                Path made = Files.createTempFile(file.getParent(), "kernels", "");
                Files.write(made, KernelCompiler.compile(compiler, cuda.context(), name, source));
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE); // other tests may look for it
            }
            world.team().barrier();
            return cuda.load(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
