// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// The values of a layer's [Field]s that are in force. Answers to `ucc_base_config_t`.
///
/// If a value is not an allowed one, a method throws an IllegalArgumentException with the setting, its value,
/// where the user set it, and the allowed values. If the layer does not catch that exception, the join fails,
/// because only the user can correct the value. A name that is not a field of the layer is an error of the layer:
/// the method throws an IllegalArgumentException here, too.
public interface Configuration {

    /// Returns a value as the user wrote it.
    String text(String field);

    /// Returns a value as a number of `[least, most]`.
    long number(String field, long least, long most);

    /// Returns a value as a flag: `true` or `false`.
    boolean flag(String field);

    /// Returns the exception for a value that only the layer can find to be wrong:
    ///
    /// ```java
    /// throw configuration.refused("HOST", "a name or an address of this machine");
    /// ```
    ///
    /// @param allowed the allowed values, to follow "is not" in the message
    IllegalArgumentException invalidValue(String field, String allowed);
}
