// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// Ends the threads of a kernel in which another thread has thrown.
final class KernelEnded extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    KernelEnded(String kernel, @Nullable Throwable first) {
        super(kernel + " has failed in another thread", first, false, false);
    }
}
