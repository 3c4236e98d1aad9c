// SPDX-License-Identifier: Apache-2.0

/// Symmetric memory on GPUs, streams of the CUDA driver, and kernels that communicate.
module coterie.cuda {
    requires transitive coterie;
    requires transitive coterie.stream;
    requires static org.jspecify;

    exports coterie.cuda;

    provides coterie.spi.Accelerator with
            coterie.cuda.CudaAccelerator;
    provides coterie.spi.SettingsProvider with
            coterie.cuda.CudaAccelerator;
}
