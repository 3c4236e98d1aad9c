// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.LongView;
import coterie.Reduction;
import coterie.WaitTimeoutException;
import coterie.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Calls both forms of all statements in a situation, which the first argument names: an image prints WRONG if the
/// form with `try` and the other one differ, and a line for each statement with its outcome.
public final class StatementForms {
    /// The image that fails, stops or leaves.
    private static final int GONE = 2;

    private static final Duration LONG = Duration.ofSeconds(20);

    private StatementForms() {}

    /// Both forms of a statement.
    ///
    /// @param words of the exception's message, beside the images of the outcome
    /// @param trying returns what `stat=` would be
    private record Forms(List<String> words, Runnable throwing, Supplier<Outcome> trying) {
        Forms(String words, Runnable throwing, Supplier<Outcome> trying) {
            this(List.of(words.split("; ", -1)), throwing, trying);
        }
    }

    /// Runs on each PE.
    public static void main(String[] args) {
        Images.run(scope -> {
            switch (args[0]) {
                case "failed" -> gone(scope, Images::failImage);
                case "stopped" -> gone(scope, () -> Images.stop(0));
                case "left" -> left(scope);
                case "out-of-range" -> outOfRange(scope);
                case "closed" -> closed(scope);
                default -> throw new IllegalArgumentException(args[0]);
            }
        });
    }

    private static void print(String line) {
        System.out.println(line);
    }

    /// Image 2 goes while the others are in the initial team.
    private static void gone(TeamScope scope, Runnable go) {
        ImageTeam all = scope.team();
        ImageTeam first = all.form(1);
        ImageTeam second = all.form(1);
        List<Forms> forms = new ArrayList<>(team(all, scope.allocateLongs(4)));
        forms.addAll(ofImage(scope, GONE));
        Coarray a = scope.allocateLongs(1);
        Coarray b = scope.allocateLongs(1);
        forms.add(new Forms("deallocate in initial", () -> scope.deallocate(a), () -> scope.tryDeallocate(b)));
        forms.add(new Forms("change team to initial/1#1", () -> first.run(_ -> {}), () -> second.tryRun(_ -> {})));
        forms.add(new Forms(
                "form team in initial", () -> all.form(7), () -> all.tryForm(7).outcome()));
        World world = scope.runtime().world();
        LongView done = world.allocate(Long.BYTES).longs();
        all.sync();
        if (all.thisImage() == GONE) {
            go.run();
        }
        while (all.status(GONE) == ImageStatus.ACTIVE) {
            world.progress();
        }
        forms.forEach(StatementForms::compare);
        int other = world.size() - 1 - world.pe(); // it is no stopped image while this one compares
        done.put(0, 1, other);
        done.writtenBy(other).waitUntil(0, Comparison.EQ, 1);
        print("done");
    }

    /// Image 2 leaves a team by an exception.
    private static void left(TeamScope scope) {
        ImageTeam all = scope.team();
        ImageTeam team = all.form(1);
        try {
            team.tryRun(inner -> {
                List<Forms> forms = team(team, inner.allocateLongs(4));
                EventCoarray events = inner.allocateEvents(1);
                NotifyCoarray notifications = inner.allocateNotifications(1);
                team.sync();
                if (all.thisImage() == GONE) {
                    throw new IllegalStateException("leaves");
                }
                forms.forEach(StatementForms::compare);
                compare(new Forms(
                        "event wait in initial/1#1",
                        () -> events.await(0),
                        () -> events.tryAwait(0, 1, LONG, ImageSet.EMPTY)));
                compare(new Forms(
                        "notify wait in initial/1#1",
                        () -> notifications.await(0),
                        () -> notifications.tryAwait(0, 1, LONG, ImageSet.EMPTY)));
            });
        } catch (IllegalStateException e) {
            print("leaves");
        }
        team.close();
        all.sync();
        print("done");
    }

    /// No image has the number that is passed.
    private static void outOfRange(TeamScope scope) {
        ImageTeam all = scope.team();
        Coarray a = scope.allocateLongs(4);
        for (int image : new int[] {0, -1, 4}) {
            ofImage(scope, image).forEach(StatementForms::compare);
            compare(new Forms(
                    "sync images; image " + image, () -> all.syncImages(1, image), () -> all.trySyncImages(1, image)));
            compare(new Forms(
                    "broadcast; image " + image,
                    () -> all.broadcast(a, 0, 1, image),
                    () -> all.tryBroadcast(a, 0, 1, image)));
            compare(new Forms(
                    "reduce; image " + image,
                    () -> all.reduceTo(Reduction.SUM, a, 0, 1, image),
                    () -> all.tryReduceTo(Reduction.SUM, a, 0, 1, image)));
        }
        compare(new Forms(
                "sync images in initial; image 3 occurs twice",
                () -> all.syncImages(3, 3),
                () -> all.trySyncImages(3, 3)));
        all.sync();
        print("done");
    }

    /// The team is closed, or its scope has ended.
    private static void closed(TeamScope scope) {
        ImageTeam all = scope.team();
        ImageTeam team = all.form(1);
        List<Forms> forms = new ArrayList<>();
        Coarray mine = scope.allocateLongs(4);
        team.run(inner -> {
            IntegerCoarray a = inner.allocateLongs(4);
            forms.addAll(ofImage(inner, 1));
            forms.add(new Forms("deallocate", () -> inner.deallocate(a), () -> inner.tryDeallocate(a)));
            forms.add(new Forms(
                    "reduce", () -> all.reduce(Reduction.SUM, a, 0, 1), () -> all.tryReduce(Reduction.SUM, a, 0, 1)));
        });
        team.close();
        forms.addAll(team(team, mine));
        forms.add(new Forms("change team", () -> team.run(_ -> {}), () -> team.tryRun(_ -> {})));
        forms.forEach(StatementForms::compare);
        all.sync();
        print("done");
    }

    /// Statements of all images of a team.
    private static List<Forms> team(ImageTeam team, Coarray a) {
        String in = " in " + team;
        return List.of(
                new Forms("sync" + in, team::sync, team::trySync),
                new Forms("sync images" + in, () -> team.syncImages(GONE), () -> team.trySyncImages(GONE)),
                new Forms("sync images" + in, team::syncEach, team::trySyncEach),
                new Forms(
                        "reduce" + in,
                        () -> team.reduce(Reduction.SUM, a, 0, 1),
                        () -> team.tryReduce(Reduction.SUM, a, 0, 1)),
                new Forms("sum" + in, () -> team.sum(a, 0, 1), () -> team.tryReduce(Reduction.SUM, a, 0, 1)),
                new Forms(
                        "reduce" + in,
                        () -> team.reduceTo(Reduction.SUM, a, 0, 1, 1),
                        () -> team.tryReduceTo(Reduction.SUM, a, 0, 1, 1)),
                new Forms("broadcast" + in, () -> team.broadcast(a, 0, 1, 1), () -> team.tryBroadcast(a, 0, 1, 1)),
                new Forms(
                        "sum" + in,
                        () -> team.sumAsync(a, 0, 1).await(),
                        () -> team.sumAsync(a, 0, 1).tryAwait()));
    }

    /// Statements on a coarray of one image.
    private static List<Forms> ofImage(TeamScope scope, int image) {
        EventCoarray events = scope.allocateEvents(1);
        LockCoarray locks = scope.allocateLocks(1);
        return List.of(
                new Forms("event post; initial", () -> events.post(0, image), () -> events.tryPost(0, image)),
                new Forms(
                        "lock; initial",
                        () -> {
                            locks.lock(0, image);
                            locks.unlock(0, image);
                        },
                        () -> {
                            LockOutcome outcome = locks.tryLockWaiting(0, image);
                            if (outcome.isAcquired()) {
                                locks.unlock(0, image);
                            }
                            return outcome(outcome::orThrow);
                        }),
                new Forms(
                        "unlock; initial",
                        () -> locks.unlock(0, image),
                        () -> outcome(locks.tryUnlock(0, image)::orThrow)));
    }

    /// Returns the outcome of a lock as that of another statement.
    private static Outcome outcome(Runnable orThrow) {
        try {
            orThrow.run();
            return Outcome.Ok.DONE;
        } catch (StatementException e) {
            return e.outcome();
        }
    }

    private static void compare(Forms forms) {
        String name = forms.words.getFirst();
        Outcome outcome = null;
        RuntimeException refusal = null;
        try {
            outcome = forms.trying.get();
        } catch (RuntimeException e) {
            refusal = e;
        }
        RuntimeException thrown = null;
        try {
            forms.throwing.run();
        } catch (RuntimeException e) {
            thrown = e;
        }
        print(name + ": " + (outcome == null ? String.valueOf(refusal) : outcome.toString()));
        String wrong = difference(forms, outcome, refusal, thrown);
        if (wrong != null) {
            print("WRONG " + name + ": " + wrong + "; with try " + outcome + " " + refusal + ", else " + thrown);
        }
    }

    private static @Nullable String difference(
            Forms forms,
            @Nullable Outcome outcome,
            @Nullable RuntimeException refusal,
            @Nullable RuntimeException thrown) {
        if (outcome != null && outcome.isOk()) {
            return thrown == null ? null : "only one form throws";
        }
        if (thrown == null) {
            return "only one form has an error";
        }
        String message = String.valueOf(thrown.getMessage());
        for (String word : forms.words) {
            if (refusal == null && !message.contains(word)) {
                return "the message does not name " + word;
            }
        }
        if (refusal != null) {
            String statement = forms.words.getFirst().split(" (?:in|to) ", 2)[0];
            return !refusal.getClass().equals(thrown.getClass())
                    ? "the forms throw different exceptions"
                    : !message.contains(statement) || !message.contains(" on image ")
                            ? "the message does not name statement and image"
                            : null;
        }
        if (outcome instanceof Outcome.TimedOut) {
            return thrown instanceof WaitTimeoutException ? null : "no WaitTimeoutException";
        }
        if (outcome instanceof Outcome.Fault(int code, String text) && code == Outcome.Fault.MISMATCH) {
            return thrown instanceof CollectiveMismatchException && message.endsWith(text) ? null : "no such mismatch";
        }
        if (!(thrown instanceof StatementException exception)) {
            return "no StatementException";
        }
        String images = switch (outcome) {
            case Outcome.Stopped(ImageSet gone) -> gone.toString();
            case Outcome.Failed(ImageSet gone) -> gone.toString();
            case Outcome.Abandoned(int image, String _) -> "image " + image;
            case null, default -> "";
        };
        return !message.contains(images)
                ? "the message does not name " + images
                : exception.outcome().equals(outcome) ? null : "the outcomes differ";
    }
}
