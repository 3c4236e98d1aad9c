// SPDX-License-Identifier: Apache-2.0
import coterie.coarray.*;

/// Spare images: a long computation whose images are killed, and that prints the right answer all the same.
///
/// The first images are *workers*, each with one part of the computation; the others are spare. After each few steps the
/// workers save their parts at a checkpoint, each on itself and on the worker after it. When images fail, the living
/// ones form a team again, in which spare images move up. The workers restore the latest parts that all have saved,
/// by their numbers, and go on from there.
///
/// An image that gets a failure leaves the body of its team by an exception. That abandons the team, so the others
/// leave it as well, wherever they are.
///
/// Shows: form team after failures, abandoned teams, a checkpoint.
/// Run: `coterie run -n 6 --on-failure continue SpareImages.java [SPARES [STEPS [SEED]]]`; with a seed some images
/// fail by themselves, at steps that it selects. Any other `kill -9` does as well, while spare images are left;
/// each image prints its process to standard error.
/// Prints: the result. The program fails if image 1 by itself computes another.
void main(String[] args) {
    if (args.length > 0 && args[0].equals("--help")) {
        Images.run(scope -> {
            if (scope.team().thisImage() == 1) IO.println(USAGE);
        });
        return;
    }
    int spares = args.length > 0 ? Integer.parseInt(args[0]) : 2, steps = args.length > 1 ? Integer.parseInt(args[1]) : 20_000;
    long seed = args.length > 2 ? Long.parseLong(args[2]) : 0;
    Images.run(scope -> {
        ImageTeam all = scope.team();
        int workers = all.numImages() - spares;
        if (workers < 2 || spares < 0) throw new IllegalArgumentException("at least two of the images are workers");
        Checkpoint saves = scope.allocateCheckpoint(Long.BYTES);
        System.err.println("image %d is process %d".formatted(all.thisImage(), ProcessHandle.current().pid())); // to be killed
        Random random = new Random(seed * 31 + all.thisImage());
        int fatal = seed != 0 && all.thisImage() > 1 && all.thisImage() <= spares + 1 ? random.nextInt(steps) : -1;
        for (boolean isDone = false; !isDone; ) {
            TeamFormation formation = all.tryForm(1);
            if (formation instanceof TeamFormation.Refused(Outcome.Stopped _, _)) return; // the others have the result
            try (ImageTeam living = formation.orThrow()) {
                long result = living.call(_ -> {
                    if (living.numImages() < workers) throw new IllegalStateException("no spare image is left");
                    boolean isWorker = living.thisImage() <= workers;
                    ImageTeam team = living.form(isWorker ? 1 : 2);
                    long mine = isWorker ? team.call(inner -> work(inner, saves, steps, fatal)) : 0;
                    return living.broadcast(mine, 1); // spare images wait here for the end or a failure
                });
                isDone = true;
                if (living.thisImage() == 1) IO.println("%d steps of %d workers: %016x".formatted(steps, workers, result));
                if (living.thisImage() == 1 && result != alone(workers, steps)) {
                    throw new IllegalStateException("one image by itself gets " + Long.toHexString(alone(workers, steps)));
                }
            } catch (ImageFailedException | TeamAbandonedException e) {
                if (all.thisImage() == 1) System.err.println("once more without images " + all.failedImages());
            }
        }
    });
}

static final String USAGE = """
        usage: coterie run -n PES SpareImages.java [SPARES [STEPS [SEED]]]
        SPARES images (2) take over from failed workers in STEPS steps (20000); a SEED makes some fail.""";
static final int EVERY = 50; // steps from one save to the next

/// Works from the latest saved step to the end, and returns the result.
static long work(TeamScope scope, Checkpoint saves, int steps, int fatal) {
    ImageTeam team = scope.team();
    int part = team.thisImage() - 1;
    IntegerCoarray x = scope.allocateLongs(1);
    x.set(0, start(part));
    for (long step = Math.max(0, saves.restore(x)); step < steps; step++) {
        if (step % EVERY == 0) saves.save(step, x);
        if (step == fatal) throw Images.failImage();
        x.set(0, step(x.get(0), team.sum(x.get(0)), part));
    }
    return team.sum(x.get(0));
}

static long start(int part) {
    return part + 1;
}

static long step(long x, long sum, int part) {
    return (x * 6364136223846793005L + sum + part) ^ x >>> 29;
}

/// Computes the result in one thread.
static long alone(int workers, int steps) {
    long[] x = new long[workers];
    Arrays.setAll(x, part -> start(part));
    for (int step = 0; step < steps; step++) {
        long sum = Arrays.stream(x).sum();
        for (int part = 0; part < workers; part++) x[part] = step(x[part], sum, part);
    }
    return Arrays.stream(x).sum();
}
