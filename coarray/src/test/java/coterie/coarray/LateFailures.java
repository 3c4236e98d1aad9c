// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Programs whose images fail, stop or leave while others are at the end of a team: the first argument names one.
public final class LateFailures {
    private LateFailures() {}

    /// Runs on each PE.
    public static void main(String[] args) throws Exception {
        Images.run(scope -> {
            switch (args[0]) {
                case "closes" -> closes(scope);
                case "end-late" -> endLate(scope);
                case "sum-late" -> sumLate(scope);
                case "free-late" -> freeLate(scope);
                case "refused-entry" -> refusedEntry(scope);
                case "stop-behind" -> stopBehind(scope);
                case "stop-before-abandoned" -> stopBeforeAbandoned(scope);
                case "stop-in-critical" -> stopInCritical(scope);
                case "stop-with-lock" -> stopWithLock(scope);
                case "lock-of-failed" -> lockOfFailed(scope);
                case "throwing-callback" -> throwingCallback();
                case "sibling-lost" -> siblingLost(scope);
                default -> throw new IllegalArgumentException(args[0]);
            }
        });
    }

    private static void print(String line) {
        System.out.println(line);
    }

    private static void signal(String signal, long pid) throws Exception {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
    }

    private static void die() throws Exception {
        signal("KILL", ProcessHandle.current().pid());
        new CountDownLatch(1).await();
    }

    private static void pause(long millis) throws Exception {
        new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    }

    private static void awaitFailure(ImageTeam team) {
        while (team.failedImages().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    /// Two survivors close teams with a failed image, one of them later than the other in turns.
    private static void closes(TeamScope scope) throws Exception {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        List<ImageTeam> teams = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            teams.add(all.form(1));
        }
        ImageTeam outer = all.form(1);
        all.sync();
        if (me == 3) {
            die();
        }
        awaitFailure(all);
        for (int i = 0; i < teams.size(); i++) {
            if (me == 1 + i % 2) {
                pause(20);
            }
            teams.get(i).close();
        }
        outer.tryRun(
                inner -> { // its end closes ten more
                    for (int i = 0; i < 10; i++) {
                        outer.tryForm(1);
                    }
                });
        print("closed " + all.trySync());
    }

    /// A fault kills image 3 in the barrier at the end, so that one image only completes it.
    private static void endLate(TeamScope scope) {
        ImageTeam all = scope.team();
        ImageTeam team = all.form(1);
        Outcome end = team.tryRun(inner -> {
            inner.allocateLongs(4);
            inner.allocateLongs(4);
        });
        Outcome next = team.trySync();
        team.close();
        print("ended " + end + " " + next + " " + all.trySync());
    }

    /// A fault kills image 3 in a sum, so that one image only has its value.
    private static void sumLate(TeamScope scope) {
        ImageTeam all = scope.team();
        try {
            print("sum " + all.sum((long) all.thisImage()));
        } catch (ImageFailedException e) {
            print("sum of " + e.images());
        }
        print("after " + all.trySync());
    }

    /// The same in the barrier of a deallocation.
    private static void freeLate(TeamScope scope) {
        ImageTeam all = scope.team();
        ImageTeam team = all.form(1);
        Outcome end = team.tryRun(inner -> {
            IntegerCoarray a = inner.allocateLongs(4);
            IntegerCoarray b = inner.allocateLongs(4);
            print("freed " + inner.tryDeallocate(a, b) + " " + team.trySync());
        });
        team.close();
        print("ended " + end + " " + all.trySync());
    }

    /// Image 1 can't enter the team without a status, and image 2 is in its body.
    private static void refusedEntry(TeamScope scope) throws Exception {
        ImageTeam all = scope.team();
        ImageTeam team = all.form(1);
        CountDownLatch never = new CountDownLatch(1);
        if (all.thisImage() == 3) {
            die();
        }
        awaitFailure(all);
        if (all.thisImage() == 1) {
            try {
                team.run(_ -> print("WRONG the body runs"));
            } catch (ImageFailedException e) {
                print("refused " + e.images());
            }
            never.await(2, TimeUnit.SECONDS); // before it comes to any other statement
            print("waited");
        } else {
            team.tryRun(_ -> print("body " + team.trySync().code()));
        }
    }

    /// Image 3 is suspended in a barrier that all have reached, while image 2 stops and image 1 is at the next one.
    private static void stopBehind(TeamScope scope) throws Exception {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        IntegerCoarray pid = scope.allocateLongs(1);
        pid.set(0, ProcessHandle.current().pid());
        all.sync();
        if (me == 1) {
            pause(200);
            signal("STOP", pid.get(0, 3));
        }
        if (me == 2) {
            pause(100);
        }
        Outcome first = all.trySync();
        if (me == 2) {
            pause(300);
            Images.stop(0);
        }
        if (me == 1) {
            Outcome second = all.trySync();
            pause(200);
            signal("CONT", pid.get(0, 3));
            print("first " + first + " second " + second.code());
        } else {
            print("first " + first);
        }
    }

    /// Image 1 abandons a team, and image 2 stops: Stopped counts before Abandoned.
    private static void stopBeforeAbandoned(TeamScope scope) throws Exception {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        ImageTeam team = all.form(1);
        try {
            team.run(_ -> {
                if (me == 1) {
                    throw new IllegalStateException("leaves");
                } else if (me == 2) {
                    Images.stop(0);
                }
                while (all.stoppedImages().isEmpty()
                        || team.statements().agreement().abandoned() == null) {
                    Thread.onSpinWait();
                }
                print("outcome " + team.trySync());
            });
        } catch (StatementException | IllegalStateException e) {
            print("left " + me);
            pause(2000); // it has not stopped while image 3 is at its statement
        }
    }

    private static void stopInCritical(TeamScope scope) throws Exception {
        Critical critical = scope.allocateCritical();
        if (Images.thisImage() == 1) {
            try {
                critical.run(_ -> Images.stop(3));
            } catch (IllegalStateException e) {
                print("refused " + e.getMessage());
            }
        }
        critical.run(_ -> print("inside"));
    }

    private static void stopWithLock(TeamScope scope) {
        LockCoarray locks = scope.allocateLocks(2);
        ImageTeam team = scope.team().form(1);
        if (Images.thisImage() == 1) {
            locks.lock(0, 2);
            locks.lock(1, 1);
        }
        scope.team().sync();
        team.run(inner -> {
            if (Images.thisImage() == 1) {
                Images.stop(0);
            }
            print("lock " + locks.tryLockWaiting(0, 2) + " " + locks.tryLockWaiting(1, 1));
            Images.stop(0);
        });
    }

    private static void lockOfFailed(TeamScope scope) throws Exception {
        ImageTeam all = scope.team();
        LockCoarray locks = scope.allocateLocks(1);
        if (all.thisImage() == 2) {
            locks.lock(0, 1);
        }
        all.sync();
        if (all.thisImage() == 2) {
            die();
        }
        awaitFailure(all);
        for (int image = 1; image <= 2; image++) {
            try {
                locks.lock(0, image);
            } catch (ImageFailedException e) {
                print(e.getClass().getSimpleName() + " "
                        + locks.tryUnlock(0, image).code());
            }
        }
    }

    private static void throwingCallback() {
        Images.onStop(() -> print("first callback"));
        Images.onStop(() -> {
            throw new IllegalStateException("a callback throws");
        });
        throw Images.errorStop(7);
    }

    /// A fault kills image 3 as the core's team is formed.
    private static void siblingLost(TeamScope scope) {
        IntegerCoarray a = scope.allocateLongs(1);
        a.set(0, Images.thisImage());
        scope.team().sync();
        ImageTeam team = scope.team().tryForm(5).orThrow();
        Sibling own = team.sibling(5);
        print("sibling " + own.numImages() + " " + a.in(own).get(0, own.numImages()));
    }
}
