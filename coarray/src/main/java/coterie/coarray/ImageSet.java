// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.Arrays;
import java.util.stream.IntStream;

/// An immutable set of images of one team, in ascending order.
/// @counterpart the results of `failed_images` and `stopped_images`
public final class ImageSet {
    static final ImageSet EMPTY = new ImageSet(new int[0]);

    private final int[] images;

    private ImageSet(int[] images) {
        this.images = images;
    }

    /// Returns the set of these images.
    ///
    /// @param images each at least 1, in any order; one that occurs twice counts once
    public static ImageSet of(int... images) {
        StatementChecks.notNull(images, "ImageSet.of", "images");
        int[] sorted = Arrays.stream(images).sorted().distinct().toArray();
        if (sorted.length > 0 && sorted[0] < 1) {
            throw new IllegalArgumentException("ImageSet.of: image " + sorted[0] + "; images count from 1");
        }
        return sorted.length == 0 ? EMPTY : new ImageSet(sorted);
    }

    /// Returns this set and another one together.
    ImageSet with(ImageSet more) {
        return of(IntStream.concat(stream(), more.stream()).toArray());
    }

    /// Returns the number of images.
    public int size() {
        return images.length;
    }

    /// Returns whether the set has no image.
    public boolean isEmpty() {
        return images.length == 0;
    }

    /// Returns whether the set has an image.
    public boolean contains(int image) {
        return Arrays.binarySearch(images, image) >= 0;
    }

    /// Returns the images, ascending: a new array at each call.
    public int[] toArray() {
        return images.clone();
    }

    /// Returns the images, ascending.
    public IntStream stream() {
        return Arrays.stream(images);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ImageSet set && Arrays.equals(images, set.images);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(images);
    }

    /// Returns a text such as "[1, 3]".
    @Override
    public String toString() {
        return Arrays.toString(images);
    }
}
