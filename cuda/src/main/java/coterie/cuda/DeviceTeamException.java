// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.CoterieException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// An operation of a kernel has failed, otherwise than by the end of its time, which is a
/// [coterie.WaitTimeoutException]. The message has the operation, its arguments, and for a wait what it found
/// and what it waited for.
public final class DeviceTeamException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final DeviceError error;

    DeviceTeamException(DeviceError error, String message, @Nullable Throwable cause) {
        super(message);
        this.error = error;
        if (cause != null) {
            initCause(cause);
        }
    }

    /// Returns why the operation has failed.
    public DeviceError error() {
        return error;
    }
}
