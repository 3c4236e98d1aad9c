// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// A team that the same form team has made as one of the caller's own, and of which the caller is no member. Its
/// only use is to number images for access to coarrays, see [Coarray#in(Sibling)]; no image can enter it.
public final class Sibling {
    private final ImageTeam parent;
    private final long number;
    private final int[] pes;

    Sibling(ImageTeam parent, long number, int[] pes) {
        this.parent = parent;
        this.number = number;
        this.pes = pes;
    }

    /// Returns the number that its images have passed to form team.
    public long number() {
        return number;
    }

    /// Returns the number of its images.
    /// @counterpart `num_images(team_number=n)`, `prif_num_images_with_team_number`
    public int numImages() {
        return pes.length;
    }

    ImageTeam parent() {
        return parent;
    }

    int[] pes() {
        return pes;
    }

    @Override
    public String toString() {
        return "sibling " + parent.path() + "/" + number;
    }
}
