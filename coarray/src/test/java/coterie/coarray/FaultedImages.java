// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// A program that comes to every step of the algorithms of images, whichever of its images fails where. Each image
/// prints WRONG if a value or an outcome can't be right, and `survived` at its end.
public final class FaultedImages {
    private static final int ROUNDS = 2;

    private FaultedImages() {}

    /// Runs on each PE.
    public static void main(String[] args) {
        Images.run(scope -> {
            ImageTeam all = scope.team();
            for (int round = 0; round < ROUNDS; round++) {
                work(scope, all.tryForm(1).orThrow(), round);
                expect(all.trySync(), "sync after a round");
            }
            ImageTeam last = all.tryForm(2).orThrow();
            print("survived in " + last.numImages());
        });
    }

    private static void print(String line) {
        System.out.println(line);
    }

    private static void expect(Outcome outcome, String what) {
        if (!outcome.isOk() && !(outcome instanceof Outcome.Failed)) {
            print("WRONG " + what + ": " + outcome);
        }
    }

    private static void work(TeamScope scope, ImageTeam team, int round) {
        Outcome end = team.tryRun(inner -> {
            try {
                IntegerCoarray a = inner.allocateLongs(2);
                IntegerCoarray b = inner.allocateLongs(1);
                int images = team.numImages();
                long sum = team.sum((long) team.thisImage());
                if (sum != (long) images * (images + 1) / 2) {
                    print("WRONG sum " + sum + " of " + images);
                }
                a.add(0, 1, 1);
                if (team.trySync().isOk() && a.get(0, 1) != images) {
                    print("WRONG additions " + a.get(0, 1));
                }
                expect(inner.tryDeallocate(b), "free");
            } catch (ImageFailedException e) {
                expect(e.outcome(), "statement in the body"); // all go on to the same pairs and the end
            }
            expect(team.trySyncEach(), "sync images");
            team.tryForm(1 + team.thisImage() % 2); // its teams close at the end
        });
        expect(end, "end team");
        leave(scope.team(), round);
        team.close();
    }

    /// An image leaves a team by an exception.
    private static void leave(ImageTeam all, int round) {
        ImageTeam team = all.tryForm(3).orThrow();
        boolean leaves = team.thisImage() == 1 + round % team.numImages();
        try {
            Outcome outcome = team.tryRun(_ -> {
                if (leaves) {
                    throw new IllegalStateException("leaves");
                }
                for (Outcome each = team.trySync(); !(each instanceof Outcome.Abandoned); each = team.trySync()) {
                    expect(each, "sync beside an image that leaves");
                    if (!team.failedImages().isEmpty()) {
                        return; // perhaps it is the image that would leave
                    }
                }
            });
            if (!(outcome instanceof Outcome.Abandoned)) {
                expect(outcome, "end of a team that an image has left");
            }
        } catch (IllegalStateException e) {
            if (!leaves) {
                throw e;
            }
        }
        team.close();
    }
}
