// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import coterie.spi.KernelProvider;
import coterie.spi.Kernels;

/// Provides [VectorKernels], where the JVM has the Vector API.
public final class VectorProvider implements KernelProvider {
    private static final String API = "jdk.incubator.vector";

    /// For the service loader.
    public VectorProvider() {}

    @Override
    public String name() {
        return "vector instructions";
    }

    @Override
    public String missing() {
        return ModuleLayer.boot().findModule(API).isPresent() ? "" : "give java --add-modules ".concat(API);
    }

    @Override
    public Kernels kernels(Kernels twin) {
        return new VectorKernels(twin);
    }
}
