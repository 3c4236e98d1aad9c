// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer at work in a world of this PE. Answers to `ucc_base_lib_t`.
public interface LayerLibrary extends AutoCloseable {

    /// Returns what the layer supports on any team. Answers to `get_lib_attr`.
    Attributes attributes();

    /// Acquires what all teams share. Answers to the constructor of `ucc_base_context_t`.
    ///
    /// @throws coterie.CoterieException if that is not possible; for the effect see [Layer#open]
    LayerContext open();

    /// Releases everything. The runtime calls it when the world ends, after the context is closed.
    @Override
    default void close() {}
}
