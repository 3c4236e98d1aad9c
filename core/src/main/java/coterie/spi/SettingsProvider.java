// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.layer.Field;
import java.util.List;

/// Declares the settings that a conduit, a bootstrap or a face reads; a service. The runtime reads their values as
/// it reads those of its own: from the system property `coterie.<name>`, from the environment variable
/// `COTERIE_<NAME>`, and from the settings file. `coterie info --config` lists them, and misspelt names are found.
/// Layers declare theirs by [coterie.layer.Layer#fields].
///
/// The runtime asks the providers where it meets a name that is none of its own, and not in each join.
public interface SettingsProvider {
    /// Returns the settings, each by its full name, such as "LINK_TIMEOUT_S". No other module has a setting of the
    /// same name, and no name begins with "TL_" or "CL_", as those of layers do.
    List<Field> settings();
}
