// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.io.Serial;

/// Images of the statement's team have failed: the outcome is [Outcome.Failed].
public sealed class ImageFailedException extends StatementException permits LockRecoveredException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient ImageSet images;

    ImageFailedException(String message, Outcome outcome, ImageSet images) {
        super(message, outcome);
        this.images = images;
    }

    /// Returns the images that are known to have failed, as the statement's team numbers them.
    public ImageSet images() {
        return images;
    }
}
