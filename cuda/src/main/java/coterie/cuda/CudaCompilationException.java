// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.CoterieException;
import java.io.Serial;

/// A source of kernels that the compiler refuses, or code that the driver can't load. The message ends with the
/// log.
public final class CudaCompilationException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String log;

    CudaCompilationException(String message, String log) {
        super(log.isBlank() ? message : message + ":\n" + log.strip());
        this.log = log;
    }

    /// Returns what the compiler has printed; perhaps empty.
    /// @counterpart `nvrtcGetProgramLog`
    public String log() {
        return log;
    }
}
