// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import java.util.Map;

/// Makes registries as a world does whose other settings have their default values.
public final class Registries {
    private Registries() {}

    /// Makes a registry that logs what it finds on teams.
    ///
    /// @param list of the layers, as in the setting TLS
    /// @param tunes for each layer's name its tuning string
    public static ComponentRegistry of(String list, Map<String, String> tunes) {
        return new ComponentRegistry(
                list,
                "tls",
                tunes,
                Map.of(),
                ComponentRegistry.radices("radix", "auto"),
                GroupLists.NONE,
                ComponentRegistry.DiagnosticHandler.LENIENT);
    }
}
