// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The synchronizations of an [ImageTeam].
abstract sealed class ImageSynchronization permits SegmentCollectives {
    ImageSynchronization() {}

    abstract ImageTeam self();

    abstract TeamStatements statements();

    abstract void checkStatement(String operation);

    /// Synchronizes the images of this team.
    /// @counterpart `sync all`, `sync team`, `prif_sync_all`, `prif_sync_team`
    public final void sync() {
        StatementException.unlessOk("sync", trySync(), self());
    }

    /// Synchronizes the images of this team, as far as they live.
    /// @counterpart `sync all(stat=)`
    public final Outcome trySync() {
        checkStatement("sync");
        return statements().sync(StatementKind.SYNC, self());
    }

    /// Synchronizes with some images of the current team, this one: the caller's n-th call with an image completes
    /// with that image's n-th call with the caller.
    /// @counterpart `sync images`, `prif_sync_images`
    /// @param images each in `[1, numImages()]`, no image twice; the caller's own number has no effect
    public final void syncImages(int... images) {
        StatementException.unlessOk("sync images", trySyncImages(images), self());
    }

    /// Synchronizes with images as [#syncImages].
    /// @counterpart `sync images(stat=)`
    public final Outcome trySyncImages(int... images) {
        self().currentScope("sync images");
        return pairs().sync(StatementChecks.notNull(images, "sync images", "images"), self());
    }

    /// Synchronizes with each other image of the current team.
    /// @counterpart `sync images(*)`, `prif_sync_images`
    public final void syncEach() {
        StatementException.unlessOk("sync images", trySyncEach(), self());
    }

    /// Synchronizes with each other image as [#syncEach].
    /// @counterpart `sync images(*, stat=)`
    public final Outcome trySyncEach() {
        self().currentScope("sync images");
        return pairs().sync(IntStream.rangeClosed(1, self().numImages()).toArray(), self());
    }

    private @Nullable ImagePairs pairs;

    private ImagePairs pairs() {
        if (pairs == null) {
            pairs = new ImagePairs(
                    self().runtime(), self().roster(), statements().agreement());
        }
        return pairs;
    }
}
