// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

/// Where the bytes of a collective are. Answers to `ucc_memory_type_t`, of which there is host memory alone here.
///
/// Tuning strings may name `cuda`, `cuda_managed`, `rocm` and `rocm_managed` too: that has no effect, and is said.
public enum MemoryType {
    /// memory that the processor loads and stores, symmetric or not
    HOST("host");

    private final String word;

    MemoryType(String word) {
        this.word = word;
    }

    /// Its name in tuning strings and messages.
    public String label() {
        return word;
    }
}
