// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// The values of a layer's [Field]s that are in force. Answers to `ucc_base_config_t`.
///
/// For a value that is none of those asked for, methods throw an IllegalArgumentException with the setting, its
/// value, where it was set, and what is allowed. Where it leaves the layer, the world is not joined, since people
/// have to mend that. A name that is not the layer's is an IllegalArgumentException too, and an error of the
/// layer.
public interface Configuration {

    /// A value as it was written.
    String text(String field);

    /// A value as a number of `[least, most]`.
    long number(String field, long least, long most);

    /// A value as a flag: `true` or `false`.
    boolean flag(String field);

    /// What to throw where only the layer can tell that a value is none of those allowed:
    ///
    /// ```java
    /// throw configuration.refusal("HOST", "a name or an address of this machine");
    /// ```
    ///
    /// @param allowed what it would have to be, behind "is not"
    IllegalArgumentException refused(String field, String allowed);
}
