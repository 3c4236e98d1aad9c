// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

/// The kind of memory that has the bytes of a collective. In tuning strings the other names of `ucc_memory_type_t`
/// have no effect, which the runtime logs.
/// @counterpart `ucc_memory_type_t`; partly: host memory only
public enum MemoryType {
    /// memory that the processor loads and stores, symmetric or not
    HOST("host");

    private final String label;

    MemoryType(String label) {
        this.label = label;
    }

    /// Returns the name in tuning strings and messages.
    public String label() {
        return label;
    }
}
