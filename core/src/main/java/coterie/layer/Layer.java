// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.util.List;

/// A component that serves collectives. The runtime finds it on the class path or the module path by
/// `java.util.ServiceLoader`, makes at least one instance for each world of each PE, and merges its offers with
/// those of the other layers: the highest score wins.
///
/// A module declares a layer by `provides coterie.layer.TransportLayer with …`; on the class path a line in
/// `META-INF/services/coterie.layer.TransportLayer` does. A [CollectiveLayer] is declared by its own interface's
/// name. The class is public and has a public constructor without parameters.
///
/// Users choose layers by the setting `tls`, and what each layer serves by its setting `TUNE`, which every layer
/// has. If the runtime can't load or make a layer, or its name, score or fields throw, a warning is logged and the
/// world goes on without the layer. If the setting `tls` has its name (or that of its class, where the layer gives
/// none), the join fails instead.
///
/// One thread at a time calls the methods of a layer and of its objects, and must not wait in them for other PEs.
/// @counterpart `ucc_component_iface_t`, `ucc_base_component_t`; found by its service, and not by a file's name
public sealed interface Layer permits TransportLayer, CollectiveLayer {

    /// Returns its name in settings and messages: a letter, then letters, digits and `_`, all in lower case;
    /// unique among the layers.
    String name();

    /// Returns the score of offers without one, at which tuning strings add offers; in [1, 2^31 − 2], and unique
    /// among the layers, so that no tie is broken by chance. The runtime's own layers have 150 (self), 100
    /// (mapped), 90 and 10 (p2p), 50 and 1 (hier).
    int defaultScore();

    /// Returns its settings. The runtime reads each from the system property `coterie.tl.<name>.<field>`, the
    /// variable `COTERIE_TL_<NAME>_<FIELD>`, and the file of settings, in this order; a collective layer has `cl`
    /// for `tl`. `coterie info --config` lists them.
    default List<Field> fields() {
        return List.of();
    }

    /// Starts the layer in a world of this PE.
    /// @counterpart the constructor of `ucc_base_lib_t`
    /// @param configuration values of its fields
    /// @throws IllegalArgumentException from the configuration, if a value can't be used: the join fails
    /// @throws coterie.CoterieException with the reason, if the layer can't work here: the runtime logs a warning
    ///     and goes on without it, or, if the setting `tls` has its name, the join fails. Other exceptions have
    ///     the same effect
    LayerLibrary open(Configuration configuration);
}
