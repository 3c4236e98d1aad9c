// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.cuda.nccl.LibNccl;
import coterie.spi.FaceSupport;
import java.util.List;
import java.util.function.Supplier;

/// What engines of collectives are made of; the default comes from the settings, another from a test.
///
/// @param mode the value of the setting `COTERIE_CUDA_COLLECTIVES`
/// @param nccl throws a CoterieException with the remedy if this process has none
/// @param kernels makes the module of [KernelEngine]; throws a CoterieException if that is not possible
/// @param stagingBytes of each member's part of [StagingMemory], at least
record EngineParts(String mode, Supplier<LibNccl> nccl, Supplier<CudaModule> kernels, long stagingBytes) {
    static final String AUTO = "auto";
    static final String NCCL = "nccl";
    static final String KERNELS = "kernels";
    static final String HOST = "host";
    static final List<String> MODES = List.of(AUTO, NCCL, KERNELS, HOST);

    static EngineParts of(Cuda cuda) {
        return new EngineParts(
                FaceSupport.of(cuda.world()).setting("CUDA_COLLECTIVES"),
                () -> LibNccl.get(FaceSupport.of(cuda.world()).setting("NCCL_LIBRARY")),
                () -> KernelEngine.compile(cuda),
                StagingMemory.BYTES);
    }
}
