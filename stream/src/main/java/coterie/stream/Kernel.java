// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// Code that each thread of a grid runs, see [WorkStream#launch(Extent, Extent, Kernel)].
/// @counterpart a function with `__global__`
@FunctionalInterface
public interface Kernel {
    /// Runs one thread of the grid.
    ///
    /// @param thread the caller: its numbers, its groups, and the operations that it may call. It is good in this
    ///     thread, until this method returns
    void run(KernelThread thread);
}
