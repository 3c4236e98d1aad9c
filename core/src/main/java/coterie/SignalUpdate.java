// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.util.Objects;

/// The update of a signal word that a put carries with it: which word, set or add, and the value.
///
/// A [SignalWord] makes it, and reads well at the call:
///
/// ```java
/// halo.putSignal(0, row, 0, n, up, arrived.setting(step));
/// ```
///
/// The update names the word on the PE to which the put goes. It is immutable and may be kept for any number of
/// puts. Making one allocates a small object, unless the JIT compiler removes it, as it does in a compiled loop.
///
/// @param signal the word; the put writes the word of its target PE
/// @param operation set or add; answers to the argument `sig_op` of `shmem_put_signal`
/// @param value what the word is set to, or what is added to it
public record SignalUpdate(SignalWord signal, SignalOperation operation, long value) {
    public SignalUpdate {
        Objects.requireNonNull(signal, "SignalUpdate: signal is null");
        Objects.requireNonNull(operation, "SignalUpdate: operation is null; allowed are SET and ADD");
    }
}
