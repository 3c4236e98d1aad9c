// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.util.List;

/// A component that serves collectives. The runtime finds it on the class path or the module path by
/// `java.util.ServiceLoader`, makes at least one for each world of each PE, and merges what it offers with what
/// others do: the highest score wins. Answers to `ucc_base_component_t`.
///
/// A layer is declared by `provides coterie.layer.TransportLayer with …` in its module, and by a line in
/// `META-INF/services/coterie.layer.TransportLayer` for programs on the class path; the same for a
/// [CollectiveLayer]. Its class is public and has a public constructor without parameters.
///
/// People choose layers by the setting `tls`, and what each serves by its setting `TUNE`, which every layer has.
///
/// A layer that can't be loaded or made, or does not say its name, score or fields, is left out with a warning.
/// Where its name is in the setting `tls`, or that of its class if it does not say its own, the world is not
/// joined.
///
/// All methods of a layer and its objects are called by one thread at a time, which must not wait in them for
/// other PEs.
public sealed interface Layer permits TransportLayer, CollectiveLayer {

    /// Its name in settings and messages: a letter, then letters, digits and `_`, all in lower case. No other
    /// layer has the same.
    String name();

    /// The score of what is offered without one, at which tuning strings add what had none, in [1, 2^31 − 2]. No
    /// other layer has the same, so that no tie is ever broken by chance. The runtime's own have 150 (self), 100
    /// (mapped), 90 and 10 (p2p), 50 and 1 (hier).
    int defaultScore();

    /// What people can set of it. Read from the system property `coterie.tl.<name>.<field>`, the environment
    /// variable
    /// `COTERIE_TL_<NAME>_<FIELD>`, and the file of settings, in this order; `cl` for a collective layer. `coterie
    /// info --config` lists them.
    default List<Field> fields() {
        return List.of();
    }

    /// Begins to work in a world of this PE. Answers to the constructor of `ucc_base_lib_t`.
    ///
    /// @param configuration values of its fields
    /// @throws IllegalArgumentException from the configuration, if a value can't be used: the world is then not
    ///     joined
    /// @throws coterie.CoterieException if it can't work here, and why: the runtime goes on without it, with a
    ///     warning; where its name is in the setting `tls`, the world is not joined. So it is with anything else
    ///     that is thrown
    LayerLibrary open(Configuration configuration);
}
