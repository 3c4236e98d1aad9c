// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// What the runtime gives to a [Bootstrap]. Threads: any.
public interface BootstrapContext {
    /// Returns the value in force of a setting of the runtime, or of a module on the path of this program that has
    /// declared it by a [SettingsProvider].
    ///
    /// @param name as in `coterie info`, in upper case and without prefix, such as "JOB_KEY"
    /// @throws IllegalArgumentException if there is no such setting, or the settings file can't be read
    String setting(String name);

    /// Returns how the process encrypts its connections, as the settings say.
    ///
    /// @throws IllegalArgumentException if a value is not allowed, or a file can't be used
    default Encryption encryption() {
        return Encryption.of(this::setting);
    }

    /// Returns the bytes of symmetric memory that each PE has by default where so many PEs share the memory of
    /// this machine.
    ///
    /// @param pes positive
    long defaultHeapBytes(int pes);
}
