// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.io.Serial;

/// The caller has acquired a lock whose last holder has failed, so what the lock protects may be half changed. The
/// caller makes that consistent and releases the lock.
/// @counterpart `STAT_UNLOCKED_FAILED_IMAGE`
public final class LockRecoveredException extends ImageFailedException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// @param operation the statement, the lock and the team
    LockRecoveredException(String operation, int image) {
        super(
                operation + ": this image has it now; image " + image + " of the initial team held it and has failed",
                new Outcome.Failed(ImageSet.of(image)),
                ImageSet.of(image));
    }

    /// Returns the failed holder, as the initial team numbers it.
    @Override
    public ImageSet images() {
        return super.images();
    }
}
