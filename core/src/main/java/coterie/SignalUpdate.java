// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.util.Objects;

/// An update of a signal word that a put takes along. The word makes it:
///
/// ```java
/// halo.putSignal(0, row, 0, n, arrived.setting(step), up);
/// ```
///
/// It is immutable, and good for any number of puts. To make one allocates a small object, except in a compiled
/// loop, where the JIT compiler removes it.
///
/// @param signal the word; the put updates it on its target PE
/// @param operation set or add; as the argument `sig_op` of `shmem_put_signal`
/// @param value the new value of the word, or the summand
public record SignalUpdate(SignalWord signal, SignalOperation operation, long value) {
    public SignalUpdate {
        Objects.requireNonNull(signal, "SignalUpdate: signal is null");
        Objects.requireNonNull(operation, "SignalUpdate: operation is null; allowed are SET and ADD");
    }
}
