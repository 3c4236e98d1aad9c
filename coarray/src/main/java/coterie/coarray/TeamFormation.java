// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// The result of [ImageTeam#tryForm(long)]: of the same kind on all images of a new team.
public sealed interface TeamFormation {
    /// The new team has all images that have named it, and no image of the old team has failed.
    ///
    /// @param team the caller's new team
    record Whole(ImageTeam team) implements TeamFormation {}

    /// The new team has all living images that have named it.
    /// @counterpart `STAT_FAILED_IMAGE`
    /// @param team the caller's new team
    /// @param lost the failed images of the old team, as it numbers them
    record Degraded(ImageTeam team, ImageSet lost) implements TeamFormation {}

    /// There is no new team, on any image that would be in it. If images are lost, that may be the reason: a new
    /// index can be too large for those that are left, and the next form team can make the team. Otherwise it is an
    /// error of the program, or images have stopped.
    ///
    /// @param cause never [Outcome.Ok] or [Outcome.Failed]
    /// @param lost the images of the old team that are known to have failed, as it numbers them
    record Refused(Outcome cause, ImageSet lost) implements TeamFormation {}

    /// Returns the images of the old team that have failed, and so are in no new team, as the old team numbers them:
    /// empty after [Whole]. All images of a new team have the same set.
    /// @counterpart `failed_images` of the old team after `form team(stat=)`
    default ImageSet lost() {
        return switch (this) {
            case Whole _ -> ImageSet.EMPTY;
            case Degraded(ImageTeam _, ImageSet lost) -> lost;
            case Refused(Outcome _, ImageSet lost) -> lost;
        };
    }

    /// Returns what `stat=` would be: Ok, Failed with the lost images, or the cause of the refusal.
    default Outcome outcome() {
        return switch (this) {
            case Whole _ -> Outcome.Ok.DONE;
            case Degraded(ImageTeam _, ImageSet lost) -> new Outcome.Failed(lost);
            case Refused(Outcome cause, ImageSet _) -> cause;
        };
    }

    /// Returns the new team, whole or degraded.
    ///
    /// @throws StatementException if the formation was refused
    default ImageTeam orThrow() {
        return switch (this) {
            case Whole(ImageTeam team) -> team;
            case Degraded(ImageTeam team, ImageSet _) -> team;
            case Refused(Outcome cause, ImageSet _) -> throw StatementException.of("form team", cause);
        };
    }
}
