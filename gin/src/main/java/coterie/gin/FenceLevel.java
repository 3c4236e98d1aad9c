// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// What is complete after a barrier. Answers to `ncclGinFenceLevel`.
public enum FenceLevel {
    /// nothing: all members have come. Answers to `ncclGinFenceLevel::None`, `ncclGinFenceLevel::Relaxed`.
    NONE(false, false),
    /// The caller sees the puts to it that members have posted before the barrier. Answers to
    /// `ncclGinFenceLevel::Put`.
    PUT(true, false),
    /// The caller's earlier gets have landed. Answers to `ncclGinFenceLevel::Get`.
    GET(false, true),
    /// both, the default
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
