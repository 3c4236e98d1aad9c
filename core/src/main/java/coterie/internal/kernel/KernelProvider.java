// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

/// Brings kernels that may be faster than the runtime's own. Found by the service loader.
public interface KernelProvider {
    /// What they are made of, for people.
    String name();

    /// What this JVM lacks for them and how to give it that, for people; empty if nothing.
    String missing();

    /// The kernels. Asked only where nothing is missing.
    ///
    /// @param twin the runtime's own, for what these don't do better
    Kernels kernels(Kernels twin);
}
