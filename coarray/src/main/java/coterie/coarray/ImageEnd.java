// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.io.Serial;

/// Unwinds the stack of an image that has stopped, up to [Images#run]. The program lets it pass.
final class ImageEnd extends Error {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int jobCode;

    ImageEnd(int image, int jobCode) {
        super("image " + image + " has stopped", null, false, false);
        this.jobCode = jobCode;
    }

    int jobCode() {
        return jobCode;
    }
}
