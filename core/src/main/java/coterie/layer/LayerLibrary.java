// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer at work in a world of this PE.
/// @counterpart `ucc_base_lib_t`, `ucc_tl_lib_t`, `ucc_tl_new_lib_t`
public interface LayerLibrary extends AutoCloseable {

    /// Returns what the layer supports on any team.
    /// @counterpart `get_lib_attr`, `ucc_tl_new_get_lib_attr`: `thread_mode` (`UCC_THREAD_SINGLE` …),
    ///     `coll_types`, team sizes, `alg_info`
    Attributes attributes();

    /// Acquires what all teams share.
    /// @counterpart the constructor of `ucc_base_context_t`
    /// @throws coterie.CoterieException if that is not possible; for the effect see [Layer#open]
    LayerContext open();

    /// Releases everything. The runtime calls it when the world ends, after the context is closed.
    /// @counterpart the destructor of `ucc_base_lib_t`
    @Override
    default void close() {}
}
