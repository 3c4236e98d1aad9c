// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// Provides loops that reduce buffers, where they may be faster than the runtime's own; a service.
///
/// The runtime uses the first provider that lacks nothing, for all worlds of a JVM. It asks when the first
/// reduction of some length needs it, on the thread of that reduction.
public interface KernelProvider {
    /// Returns a name for people, such as "vector instructions".
    String name();

    /// Returns what this JVM lacks for the kernels, and the remedy, in one phrase; an empty string if it lacks
    /// nothing.
    String missing();

    /// Returns the kernels. The runtime calls it at most once, and only if nothing is missing.
    ///
    /// @param twin the runtime's own kernels, for pairs of reduction and type that the provider does not improve
    Kernels kernels(Kernels twin);
}
