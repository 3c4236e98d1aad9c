// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// The values of a layer's [Field]s that are in force. Answers to `ucc_base_config_t`.
///
/// Methods throw IllegalArgumentException for a name that is not the layer's, and for a value that is none of those
/// asked for; the message has the setting, its value, where it was set, and what is allowed.
public interface Configuration {

    /// A value as it was written.
    String text(String field);

    /// A value as a number of `[least, most]`.
    long number(String field, long least, long most);

    /// A value as a flag: `true` or `false`.
    boolean flag(String field);
}
