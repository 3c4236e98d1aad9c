// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.io.Serial;

/// Images of the statement's team have stopped: the outcome is [Outcome.Stopped].
public class ImageStoppedException extends StatementException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient ImageSet images;

    ImageStoppedException(String message, Outcome outcome, ImageSet images) {
        super(message, outcome);
        this.images = images;
    }

    /// Returns the images that are known to have stopped, as the statement's team numbers them.
    public ImageSet images() {
        return images;
    }
}
