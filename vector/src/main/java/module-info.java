// SPDX-License-Identifier: Apache-2.0

/// Reductions by vector instructions. A JVM with this module on its module path resolves the incubator module,
/// too; on a class path it needs `--add-modules jdk.incubator.vector`.
module coterie.vector {
    requires coterie;
    requires jdk.incubator.vector;
    requires static org.jspecify;

    provides coterie.spi.KernelProvider with
            coterie.vector.VectorProvider;
}
