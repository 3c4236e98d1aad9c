// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer at work in a world of this PE. Answers to `ucc_base_lib_t`.
public interface LayerLibrary extends AutoCloseable {

    /// What it can do at all. Answers to `get_lib_attr`.
    Attributes attributes();

    /// Takes what all teams have in common. Answers to the constructor of `ucc_base_context_t`.
    ///
    /// @throws coterie.CoterieException if that can't be had; see [Layer#open]
    LayerContext open();

    /// Lets go of all, when its context is closed and the world ends.
    @Override
    default void close() {}
}
