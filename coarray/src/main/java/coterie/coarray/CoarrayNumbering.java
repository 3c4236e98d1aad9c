// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.Arrays;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// How a [Coarray] numbers its elements and images: subscripts name elements, and cosubscripts images.
abstract sealed class CoarrayNumbering permits Coarray {
    final CoarrayBlock block;
    final Cobounds cobounds;
    final ImageTeam established;
    final int @Nullable [] fixed;
    final String numbering;
    private final Shape shape;

    /// Where a coarray is, and which images it names.
    ///
    /// @param fixed for each image its number in the team that has allocated, or null for the current team's
    ///     images
    @SuppressWarnings("ArrayRecordComponent") // no program compares placements
    record Placement(
            CoarrayBlock block,
            Shape shape,
            Cobounds cobounds,
            ImageTeam established,
            int @Nullable [] fixed,
            String numbering) {}

    CoarrayNumbering(Placement placement) {
        this.block = placement.block;
        this.shape = placement.shape;
        this.cobounds = placement.cobounds;
        this.established = placement.established;
        this.fixed = placement.fixed;
        this.numbering = placement.numbering;
    }

    /// Returns the bounds with which it was allocated; of a coarray that was allocated with a count, one dimension
    /// from 0.
    /// @counterpart `shape(a)`, `lbound(a)`, `ubound(a)`
    public final Shape shape() {
        return shape;
    }

    /// Returns the index of an element of rank 1, as all accesses take it: `a.get(a.at(i), image)`.
    /// @counterpart the subscripts of `a(i)[image]`
    /// @throws IndexOutOfBoundsException if the subscript is outside the bounds of `shape()`
    /// @throws IllegalArgumentException if the coarray has another rank
    public final long at(long i) {
        return shape.index(i);
    }

    /// Returns the index of an element of rank 2, see [#at(long)].
    public final long at(long i, long j) {
        return shape.index(i, j);
    }

    /// Returns the index of an element of rank 3, see [#at(long)].
    public final long at(long i, long j, long k) {
        return shape.index(i, j, k);
    }

    /// Returns the index of an element of any rank, see [#at(long)].
    public final long at(long... subscripts) {
        return shape.index(subscripts);
    }

    /// Returns a section of the array, see [Section].
    /// @counterpart the subscripts of `a(i:j:k, :, [2, 3, 5])[image]`
    /// @param subscripts one for each dimension
    /// @throws IndexOutOfBoundsException if an element is outside the bounds of `shape()`
    /// @throws IllegalArgumentException if the coarray has another rank
    public final Section section(Section.Subscript... subscripts) {
        return Section.of(shape, StatementChecks.notNull(subscripts, "section", "subscripts"));
    }

    /// Returns the cobounds.
    public final Cobounds cobounds() {
        return cobounds;
    }

    private int images() {
        return fixed == null ? scopeNow("images").team().numImages() : fixed.length;
    }

    /// Returns an upper cobound, by the number of images of this coarray's team.
    /// @counterpart `ucobound`, `prif_ucobound`
    /// @param dim in `[1, cobounds().corank()]`
    public final int upperCobound(int dim) {
        return cobounds.upper(dim, images());
    }

    /// Returns the image that cosubscripts name, or 0 if they name none.
    /// @counterpart `image_index`, `prif_image_index`, `prif_image_index_with_team` and `_with_team_number`; of a
    ///     team after `in`
    public final int imageIndex(int... subscripts) {
        return cobounds.index(images(), StatementChecks.notNull(subscripts, "imageIndex", "subscripts"));
    }

    /// Returns the image that cosubscripts name: `a.get(a.at(i, j), a.image(p, q))`.
    /// @counterpart the image selector of `a(i, j)[p, q]`
    /// @throws IndexOutOfBoundsException if they name none in this coarray's team; [#imageIndex] returns 0 then
    /// @throws IllegalArgumentException if the corank is another one
    public final int image(int p) {
        int image = cobounds.index(images(), p);
        return image > 0 ? image : noImage(p);
    }

    /// Returns the image that two cosubscripts name, see [#image(int)].
    public final int image(int p, int q) {
        int image = cobounds.index(images(), p, q);
        return image > 0 ? image : noImage(p, q);
    }

    /// Returns the image that any number of cosubscripts name, see [#image(int)].
    public final int image(int... subscripts) {
        int image = cobounds.index(images(), StatementChecks.notNull(subscripts, "image", "subscripts"));
        return image > 0 ? image : noImage(subscripts);
    }

    private int noImage(int... subscripts) {
        throw new IndexOutOfBoundsException(StatementChecks.prefix("image") + "the cosubscripts "
                + Arrays.toString(subscripts) + " name none of the " + images() + " images of " + where() + " in "
                + cobounds);
    }

    /// Returns the caller's cosubscripts in the team of this coarray's images: the current one, or that of
    /// [Coarray#in(ImageTeam)].
    /// @counterpart `this_image(a)`, `this_image(a, team=t)`, `prif_this_image_with_coarray`,
    ///     `prif_this_image_with_dim`
    /// @throws IllegalStateException if that is a sibling of which the caller is no image
    public final int[] thisImage() {
        int[] numbers = fixed;
        if (numbers == null) {
            return cobounds.subscripts(scopeNow("thisImage").team().thisImage());
        }
        int me = block.team().roster().me();
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == me) {
                return cobounds.subscripts(i + 1);
            }
        }
        throw new IllegalStateException(StatementChecks.prefix("thisImage") + "the caller is no image of " + numbering);
    }

    /// Returns the team whose images the caller's numbers are.
    final String where() {
        return fixed == null ? ImageTeam.current().path() : numbering;
    }

    final TeamScope scopeNow(String operation) {
        try {
            return Images.CURRENT.get();
        } catch (NoSuchElementException e) {
            throw new IllegalStateException(
                    block.team().runtime().prefix(operation) + Thread.currentThread() + " has no current team, whose"
                            + " images " + this + " would name; use Coarray.in with a team in such a thread");
        }
    }
}
