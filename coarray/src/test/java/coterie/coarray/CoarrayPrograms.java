// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.Reduction;
import coterie.World;
import coterie.spi.FaceSupport;
import coterie.testing.SoakBound;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Programs whose images fail, stop or end the job: the first argument names one, the second is the mode.
public final class CoarrayPrograms {
    private CoarrayPrograms() {}

    /// Runs on each PE.
    public static void main(String[] args) throws Exception {
        boolean isProcess = args[1].equals("PROCESSES");
        switch (args[0]) {
            case "fails" -> Images.run(scope -> fails(scope, isProcess));
            case "fails-in-six" -> Images.run(scope -> failsInSix(scope, isProcess));
            case "stops" -> Images.run(scope -> stops(scope, isProcess));
            case "throwing" -> Images.run(scope -> throwing(scope, isProcess));
            case "suspended" -> Images.run(CoarrayPrograms::suspended);
            case "random-kills" -> Images.run(scope -> randomKills(scope, isProcess, Long.parseLong(args[2])));
            case "kills-in-forms" -> Images.run(scope -> killsInForms(scope, Long.parseLong(args[2])));
            case "stop" -> Images.run(scope -> stop(args[2]));
            case "error-stop" -> Images.run(scope -> errorStop(scope));
            case "callbacks" -> Images.run(scope -> callbacks(scope));
            case "exception" -> Images.run(scope -> exception(scope));
            case "input" -> Images.run(scope -> input(scope));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void print(String line) {
        System.out.println(line);
    }

    private static void die(boolean isProcess) throws Exception {
        if (!isProcess) {
            throw Images.failImage();
        }
        signal("KILL", ProcessHandle.current().pid());
        new CountDownLatch(1).await();
    }

    private static void signal(String signal, long pid) throws Exception {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            print("WRONG " + what);
        }
    }

    private static void same(Object expected, Object found, String what) {
        check(expected.equals(found), what + ": " + found + " instead of " + expected);
    }

    private static Outcome failed(int... images) {
        return new Outcome.Failed(ImageSet.of(images));
    }

    private static void fails(TeamScope scope, boolean isProcess) throws Exception {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        IntegerCoarray a = scope.allocateLongs(4);
        a.set(0, me == 3 ? 37 : me);
        LockCoarray locks = scope.allocateLocks(1);
        Critical critical = scope.allocateCritical();
        EventCoarray events = scope.allocateEvents(1);
        ImageTeam pair = all.form(1 + me % 2);
        if (me == 2) {
            locks.lock(0, 1); // before any other image asks for it
        }
        all.sync();
        Outcome end = pair.tryRun(inner -> {
            if (me == 2) {
                critical.run(_ -> die(isProcess));
            } else if (me == 4) {
                same(failed(1), pair.trySync(), "sync in the pair of the failed image");
                same(failed(1), pair.trySync(), "sync again");
            } else {
                for (int i = 0; i < 100; i++) {
                    same(Outcome.Ok.DONE, pair.trySync(), "barrier beside the failure");
                    same((long) i * 4, pair.sum((long) i * me), "sum beside the failure");
                }
            }
        });
        same(me == 4 ? failed(1) : Outcome.Ok.DONE, end, "end team");
        print("F14 F15 " + ImageTeam.current());
        while (all.failedImages().isEmpty()) {
            Thread.onSpinWait(); // no statement and no progress: the list is of the launcher
        }
        same(ImageSet.of(2), all.failedImages(), "polled failures");
        same(failed(2), all.trySync(), "sync all");
        same(4, all.numImages(), "images");
        List<ImageStatus> statuses =
                IntStream.rangeClosed(1, 4).mapToObj(all::status).toList();
        print("F02 " + statuses + " " + all.failedImages() + " " + all.stoppedImages());
        for (int round = 1; round <= 5; round++) {
            a.add(1, 1, 1);
            same(failed(2), all.trySync(), "sync after a failure");
            same(3L * round, a.get(1, 1), "additions before a sync");
            same(failed(2), all.trySync(), "second sync after a failure");
        }
        print("F05 " + a.get(0, 3) + " " + a.get(0, 2) + " " + a.stat(2) + " " + a.stat(3));
        a.add(3, 1, 2);
        same(failed(2), a.stat(2), "F21 atomic on the failed image");
        same(failed(2), events.tryPost(0, 2), "post to the failed image");
        same(failed(2), events.tryAwait(0, 1, Duration.ofSeconds(20), ImageSet.of(2)), "wait for the failed image");
        same(new LockOutcome.Failed(2), locks.tryLockWaiting(0, 2), "F18 lock of the failed image");
        print("lock " + locks.tryLockWaiting(0, 1));
        locks.unlock(0, 1);
        print("F19 " + critical.tryRun(_ -> a.put(2, a.get(2, 1) + 1, 1)));
        same(failed(2), all.tryReduce(Reduction.SUM, a, 0, 1), "F11 sum");
        same(failed(2), all.trySync(), "sync");
        same(3L, a.get(2, 1), "critical bodies");
        TeamFormation formation = all.tryForm(7);
        print("formed " + formation.outcome() + " " + formation.orThrow().numImages());
        same(
                Outcome.Ok.DONE,
                formation.orThrow().tryRun(inner -> {
                    IntegerCoarray b = inner.allocateLongs(1);
                    b.add(0, a.get(0), 1);
                    inner.team().sync();
                    same(42L, b.get(0, 1), "sum of the survivors");
                    same(3L, inner.team().sum(1L), "survivors");
                    same(37L, a.get(0, 2), "image 3 is image 2 of the survivors");
                }),
                "team of the survivors");
        print("done");
    }

    private static void failsInSix(TeamScope scope, boolean isProcess) throws Exception {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        all.sync();
        if (me == 3) {
            die(isProcess);
        }
        TeamFormation formation = all.tryForm(1 + me % 2);
        ImageTeam team = formation.orThrow();
        same(failed(3), formation.outcome(), "form team");
        same(me % 2 == 0 ? me / 2 : me == 1 ? 1 : 2, team.thisImage(), "index");
        print("F12 " + team.number() + " " + team.numImages() + " of " + all.numImages());
        same(Outcome.Ok.DONE, team.tryRun(inner -> same((long) team.numImages(), team.sum(1L), "sum")), "run");
    }

    private static void stops(TeamScope scope, boolean isProcess) throws Exception {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        IntegerCoarray a = scope.allocateLongs(1);
        a.set(0, 10L * me);
        all.sync();
        if (me == 2) {
            Images.stop(0);
        }
        Outcome stopped = new Outcome.Stopped(ImageSet.of(2));
        same(stopped, all.trySync(), "F06 sync");
        print("F06 " + all.stoppedImages() + " " + all.failedImages() + " " + a.get(0, 2) + " " + all.status(2));
        same(stopped, all.tryReduce(Reduction.SUM, a, 0, 1), "F10 sum");
        same(stopped, all.tryBroadcast(a, 0, 1, 1), "F10 broadcast");
        same(stopped, all.tryForm(1).outcome(), "form team");
        if (me != 1) {
            same(Outcome.Ok.DONE, all.trySyncImages(7 - me), "sync of images 3 and 4");
            same(stopped, all.trySyncImages(2), "sync with the stopped image");
        }
        if (me == 3) {
            die(isProcess);
        }
        while (all.failedImages().isEmpty()) {
            scope.runtime().world().progress();
        }
        same(stopped, all.trySync(), "F07 sync");
        print("F07 " + all.stoppedImages() + " " + all.failedImages());
        same(Outcome.Ok.DONE, all.trySyncImages(1, 4), "sync of images 1 and 4");
    }

    private static void throwing(TeamScope scope, boolean isProcess) throws Exception {
        ImageTeam all = scope.team();
        all.sync();
        if (all.thisImage() == 2) {
            die(isProcess);
        }
        try {
            while (true) {
                all.sync();
            }
        } catch (ImageFailedException e) {
            print("F16 " + e.images());
            throw e;
        }
    }

    private static void suspended(TeamScope scope) throws Exception {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        IntegerCoarray pid = scope.allocateLongs(1);
        pid.set(0, ProcessHandle.current().pid());
        all.sync();
        if (me == 1) {
            signal("STOP", pid.get(0, 2));
            World world = scope.runtime().world();
            long end = FaceSupport.of(world).nanoTime() + 3_000_000_000L;
            while (FaceSupport.of(world).nanoTime() < end) {
                world.progress();
            }
            signal("CONT", pid.get(0, 2));
        }
        for (int i = 0; i < 10; i++) {
            all.sync();
            same(10L, all.sum((long) me), "sum after a suspension");
        }
        print("F23 " + all.failedImages());
    }

    /// Images fail one after the other until one is left, while all synchronize.
    private static void randomKills(TeamScope scope, boolean isProcess, long seed) throws Exception {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        int images = all.numImages();
        List<Integer> order = IntStream.rangeClosed(1, images).boxed().collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(order, new Random(seed));
        int turn = order.indexOf(me);
        long deadline = new Random(seed * 31 + me).nextInt(200);
        long syncs = 0;
        ImageSet known = ImageSet.EMPTY;
        while (known.size() < images - 1) {
            if (turn < images - 1 && known.size() >= turn && syncs++ >= deadline) {
                die(isProcess);
            }
            Outcome outcome = all.trySync();
            ImageSet now = all.failedImages();
            check(outcome.isOk() || outcome instanceof Outcome.Failed, "outcome " + outcome);
            check(known.stream().allMatch(now::contains), "the set of failures shrinks");
            known = now;
        }
        print("F24 " + known.size() + " without " + (order.getLast() == me ? "the last" : "another"));
    }

    /// Images are killed at any moment of forming teams; the others always agree on their teams.
    private static void killsInForms(TeamScope scope, long seed) {
        ImageTeam all = scope.team();
        int me = all.thisImage();
        if (me % 2 == 0) {
            long nanos = new Random(seed * 31 + me).nextInt(100_000_000);
            new Thread(() -> {
                        LockSupport.parkNanos(nanos);
                        try {
                            die(true);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .start();
        }
        int lost = 0;
        while (lost < all.numImages() / 2) {
            for (int k = 0; k < 10; k++) {
                use(all.tryForm(1 + (me + k) / 2 % 2));
            }
            lost = use(all.tryForm(1)); // one team of all, so the same on all
        }
        print("survived " + lost);
    }

    private static int use(TeamFormation formation) {
        ImageTeam team = formation.orThrow();
        Outcome outcome = team.tryRun(inner -> {
            try {
                int images = team.numImages();
                same((long) images * (images + 1) / 2, team.sum((long) team.thisImage()), "sum of a new team");
            } catch (ImageFailedException e) {
                check(!team.failedImages().isEmpty(), "a failure without a failed image");
            }
        });
        check(outcome.isOk() || outcome instanceof Outcome.Failed, "outcome " + outcome);
        team.close();
        return formation instanceof TeamFormation.Degraded(ImageTeam _, ImageSet lost) ? lost.size() : 0;
    }

    private static void stop(String code) {
        if (code.equals("text")) {
            Images.stop("the end");
        } else if (code.equals("two")) {
            Images.stop(Images.thisImage() == 2 ? 5 : Images.thisImage() == 3 ? 6 : 0);
        }
        Images.stop(Integer.parseInt(code));
    }

    private static void errorStop(TeamScope scope) {
        scope.team().sync();
        if (Images.thisImage() == 2) {
            print("M06 " + SoakBound.now());
            System.out.flush();
            throw Images.errorStop(7);
        }
        if (Images.thisImage() == 3) {
            while (true) {
                Thread.onSpinWait();
            }
        }
        scope.team().sync();
    }

    private static void callbacks(TeamScope scope) {
        IntegerCoarray a = scope.allocateLongs(1);
        IntegerCoarray own = a.in(scope.team());
        for (int i = 1; i <= 3; i++) {
            int number = i;
            Images.onStop(() -> print("M08 " + number + " after " + own.get(0, 1)));
        }
        if (Images.thisImage() == 2) {
            a.put(0, 99, 1);
        }
    }

    private static void exception(TeamScope scope) {
        scope.team().sync();
        if (Images.thisImage() == 2) {
            throw new IllegalStateException("a mistake in the program");
        }
        scope.team().sync();
    }

    private static void input(TeamScope scope) throws Exception {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int me = Images.thisImage();
        ImageTeam turned = scope.team().form(1, 3 - me);
        turned.run(inner -> print("T31 " + me + " is " + Images.thisImage() + " reads " + reader.readLine()));
    }
}
