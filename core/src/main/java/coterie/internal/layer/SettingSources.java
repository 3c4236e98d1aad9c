// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

/// Where settings come from.
@FunctionalInterface
public interface SettingSources {

    /// What is in force of a setting.
    ///
    /// @param name such as `TL_P2P_TUNE`
    Found find(String name, String byDefault);

    /// A value.
    ///
    /// @param origin where it comes from: "default", a property's or a variable's name, or a file and a line
    record Found(String value, String origin) {}
}
