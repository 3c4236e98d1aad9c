// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// What is complete after a barrier.
/// @counterpart `ncclGinFenceLevel`; the default is both
public enum FenceLevel {
    /// nothing: all members have come.
    /// @counterpart `ncclGinFenceLevel::None`, `ncclGinFenceLevel::Relaxed`, which NCCL has deprecated
    NONE(false, false),
    /// The caller sees the puts to it that members have posted before the barrier.
    /// @counterpart `ncclGinFenceLevel::Put`
    PUT(true, false),
    /// The caller's earlier gets have landed.
    /// @counterpart `ncclGinFenceLevel::Get`
    GET(false, true),
    /// both, the default
    /// @counterpart `ncclGinFenceLevel::Put` with `ncclGinFenceLevel::Get`
    PUT_GET(true, true);

    private final boolean puts;
    private final boolean gets;

    FenceLevel(boolean puts, boolean gets) {
        this.puts = puts;
        this.gets = gets;
    }

    boolean coversPuts() {
        return puts;
    }

    boolean coversGets() {
        return gets;
    }
}
