// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.Arrays;
import java.util.stream.IntStream;

/// A computation whose images are killed, and that has the right result all the same: `workers` parts, of which each
/// step changes all elements by a sum over all parts. The images that the arguments name fail at steps that they name.
/// Image 1 prints `result` and the sum of all elements, and `WRONG` if one image by itself gets another.
public final class Checkpoints {
    private static final int ELEMENTS = 5;
    private static final int STEPS = 60;
    private static final int EVERY = 7;

    private Checkpoints() {}

    /// Runs on each PE.
    ///
    /// @param args the workers, and then pairs of an image and the step at which it fails
    public static void main(String[] args) {
        int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        int workers = numbers[0];
        Images.run(scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            Checkpoint saves = scope.allocateCheckpoint(ELEMENTS * Long.BYTES);
            while (true) {
                TeamFormation formation = all.tryForm(1);
                if (formation instanceof TeamFormation.Refused(Outcome.Stopped _, _)) {
                    return; // the others have the result
                }
                ImageTeam living = formation.orThrow();
                try (living) {
                    living.run(_ -> {
                        boolean isWorker = living.thisImage() <= workers;
                        ImageTeam team = living.form(isWorker ? 1 : 2);
                        if (isWorker) {
                            team.run(inner -> work(inner, saves, me, numbers));
                        }
                        living.sync(); // spare images wait for the result or a failure
                    });
                    return;
                } catch (ImageFailedException | TeamAbandonedException e) {
                    System.out.println("again without " + formation.lost());
                }
            }
        });
    }

    private static void work(TeamScope scope, Checkpoint saves, int me, int... numbers) {
        ImageTeam team = scope.team();
        IntegerCoarray a = scope.allocateLongs(ELEMENTS);
        IntStream.range(0, ELEMENTS).forEach(i -> a.set(i, start(team.thisImage(), i)));
        for (long step = Math.max(0, saves.restore(a)); step < STEPS; step++) {
            if (step % EVERY == 0) {
                saves.save(step, a);
            }
            for (int i = 1; i < numbers.length; i += 2) {
                if (numbers[i] == me && numbers[i + 1] == step) {
                    Images.failImage();
                }
            }
            long sum = team.sum(sum(a));
            for (int i = 0; i < ELEMENTS; i++) {
                a.set(i, next(a.get(i), sum));
            }
        }
        long result = team.sum(sum(a));
        if (team.thisImage() == 1) {
            System.out.println((result == alone(numbers[0]) ? "result " : "WRONG result ") + result);
        }
    }

    private static long sum(IntegerCoarray a) {
        return IntStream.range(0, ELEMENTS).mapToLong(a::get).sum();
    }

    private static long start(int part, int i) {
        return 100L * part + i;
    }

    private static long next(long element, long sum) {
        return (element * 6_364_136_223_846_793_005L + sum) ^ element >>> 29;
    }

    private static long alone(int workers) {
        long[] all = IntStream.range(0, workers * ELEMENTS)
                .mapToLong(i -> start(1 + i / ELEMENTS, i % ELEMENTS))
                .toArray();
        for (int step = 0; step < STEPS; step++) {
            long sum = Arrays.stream(all).sum();
            Arrays.setAll(all, i -> next(all[i], sum));
        }
        return Arrays.stream(all).sum();
    }
}
