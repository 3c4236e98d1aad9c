// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// Images that wait in one statement each while image 1 ends the job: the first argument says how.
public final class ErrorStops {
    private ErrorStops() {}

    /// Runs on each PE.
    public static void main(String[] args) {
        Images.run(scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            Images.onStop(() -> System.out.println("callback of image " + me));
            EventCoarray events = scope.allocateEvents(1);
            LockCoarray locks = scope.allocateLocks(1);
            ImageTeam inside = all.form(me == 1 ? 1 : 2);
            if (me == 1) {
                locks.lock(0, 1);
            }
            IntegerCoarray begun = scope.allocateLongs(1).in(all);
            all.sync();
            if (me == 1) {
                while (begun.getAcquire(0, 1) < all.numImages() - 1) {
                    Thread.onSpinWait();
                }
                end(args[0]);
            }
            try {
                inside.run(inner -> {
                    inner.allocateLongs(1).onRelease(() -> System.out.println("release on image " + me));
                    begun.getAndAdd(0, 1, 1);
                    if (args[0].equals("stopped")) {
                        Images.stop(0); // waits for image 1, and its callbacks would run then
                    }
                    wait(me, all, events, locks);
                });
            } finally {
                System.out.println("goes on: image " + me);
            }
        });
    }

    private static void end(String how) {
        switch (how) {
            case "code", "stopped" -> throw Images.errorStop(7);
            case "text" -> throw Images.errorStop("the end");
            default -> throw new IllegalStateException("a mistake");
        }
    }

    private static void wait(int me, ImageTeam all, EventCoarray events, LockCoarray locks) {
        switch (me) {
            case 2 -> all.trySync();
            case 3 -> events.await(0);
            case 4 -> locks.in(all).lock(0, 1);
            default -> all.sum(1L);
        }
    }
}
