// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// The status of an image.
/// @counterpart the results of `image_status`
public enum ImageStatus {
    /// takes part
    ACTIVE(0),
    /// has begun its normal termination; its coarrays stay readable until all images have
    STOPPED(Outcome.STOPPED),
    /// has ceased to take part, for ever
    FAILED(Outcome.FAILED);

    private final int code;

    ImageStatus(int code) {
        this.code = code;
    }

    /// Returns 0, or the code of the [Outcome] of this name.
    public int code() {
        return code;
    }
}
