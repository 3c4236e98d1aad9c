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

    /// There is no new team, on any image that would be in it.
    ///
    /// @param cause never [Outcome.Ok] or [Outcome.Failed]
    record Refused(Outcome cause) implements TeamFormation {}

    /// Returns what `stat=` would be: Ok, Failed with the lost images, or the cause of the refusal.
    default Outcome outcome() {
        return switch (this) {
            case Whole _ -> Outcome.Ok.DONE;
            case Degraded(ImageTeam _, ImageSet lost) -> new Outcome.Failed(lost);
            case Refused(Outcome cause) -> cause;
        };
    }

    /// Returns the new team, whole or degraded.
    ///
    /// @throws StatementException if the formation was refused
    default ImageTeam orThrow() {
        return switch (this) {
            case Whole(ImageTeam team) -> team;
            case Degraded(ImageTeam team, ImageSet _) -> team;
            case Refused(Outcome cause) -> throw StatementException.of("form team", cause);
        };
    }
}
