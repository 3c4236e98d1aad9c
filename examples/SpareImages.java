// SPDX-License-Identifier: Apache-2.0
import coterie.coarray.*;

/// Spare images: a long computation whose images are killed, and that prints the right answer all the same.
///
/// Some images are *workers*, each with one part of the computation; the others are spare. After each few steps a
/// worker saves its part on itself and on the worker after it. When images fail, the living ones form a team again,
/// and agree by that on which have failed. A spare image takes each part that has lost its worker, reads it where it
/// was saved, and all workers go on from the latest step that all of them have saved.
///
/// An image that gets a failure leaves the body of its team by an exception. That abandons the team, so the others
/// leave it as well, wherever they are.
///
/// Shows: form team after failures, new indices, abandoned teams, coarrays of the initial team as a store.
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
        Store store = new Store(scope.allocateLongs(4 * WORDS), all, workers);
        System.err.println("image %d is process %d".formatted(all.thisImage(), ProcessHandle.current().pid())); // to be killed
        Random random = new Random(seed * 31 + all.thisImage());
        int fatal = seed != 0 && all.thisImage() > 1 && all.thisImage() <= spares + 1 ? random.nextInt(steps) : -1;
        int[] owners = IntStream.rangeClosed(1, workers).toArray(); // of each part
        for (boolean isDone = false; !isDone; ) {
            TeamFormation formation = all.tryForm(1);
            if (formation instanceof TeamFormation.Refused(Outcome.Stopped _)) return; // the others have the result
            ImageTeam living = formation.orThrow();
            ImageSet lost = formation instanceof TeamFormation.Degraded(_, ImageSet failed) ? failed : ImageSet.of();
            owners = assign(owners, lost, all.numImages());
            try {
                int[] now = owners;
                long[] result = living.call(_ -> attempt(living, store, lost, now, steps, fatal));
                isDone = true;
                if (living.thisImage() == 1) IO.println("%d steps of %d workers: %016x".formatted(steps, workers, result[0]));
                if (living.thisImage() == 1 && result[0] != alone(workers, steps)) {
                    throw new IllegalStateException("one image by itself gets " + Long.toHexString(alone(workers, steps)));
                }
            } catch (ImageFailedException | TeamAbandonedException e) {
                living.close();
            } catch (StatementException e) { // a new index is too large if a worker has failed before its team was formed
                if (living.failedImages().isEmpty()) throw e;
                living.close();
            }
        }
    });
}

static final String USAGE = """
        usage: coterie run -n PES SpareImages.java [SPARES [STEPS [SEED]]]
        SPARES images (2) take over from failed workers in STEPS steps (20000); a SEED makes some fail.""";
static final int WORDS = 3; // of a saved part: its number, its step, its value
static final int EVERY = 50; // steps from one save to the next

/// Returns the images that have the parts now: spare ones in place of those that are lost.
static int[] assign(int[] owners, ImageSet lost, int images) {
    int[] next = owners.clone();
    for (int part = 0; part < next.length; part++) {
        if (!lost.contains(next[part])) continue;
        int[] taken = next;
        next[part] = IntStream.rangeClosed(1, images).filter(image -> !lost.contains(image) && Arrays.stream(taken).noneMatch(t -> t == image))
                .findFirst().orElseThrow(() -> new IllegalStateException("no spare image is left"));
    }
    return next;
}

/// Saved parts: on each image two of its own and two of the worker before it, of even and odd saves.
record Store(IntegerCoarray words, ImageTeam all, int workers) {
    /// Saves a part on an image.
    void save(int image, boolean isCopy, int part, long step, long value) {
        long at = (isCopy ? 2 * WORDS : 0) + step / EVERY % 2 * WORDS;
        IntegerCoarray there = words.in(all);
        there.put(at + 1, image, -1); // not whole
        Images.syncMemory();
        there.put(at, image, part);
        there.put(at + 2, image, value);
        Images.syncMemory();
        there.put(at + 1, image, step + 1);
    }

    /// Returns the value of a part at a step as an image has saved it.
    OptionalLong load(int image, int part, long step) {
        IntegerCoarray there = words.in(all);
        for (int at = 0; at < 4 * WORDS; at += WORDS) {
            if (there.get(at, image) == part && there.get(at + 1, image) == step + 1) return OptionalLong.of(there.get(at + 2, image));
        }
        return OptionalLong.empty();
    }
}

/// Works from the latest common save to the end, and returns the result.
static long[] attempt(ImageTeam living, Store store, ImageSet lost, int[] owners, int steps, int fatal) {
    int me = store.all().thisImage(), part = IntStream.range(0, owners.length).filter(i -> owners[i] == me).findFirst().orElse(-1);
    long latest = steps; // which all parts have
    for (int i = 0; i < owners.length; i++) {
        long step = steps - steps % EVERY;
        while (step >= 0 && find(store, lost, i, step).isEmpty()) step -= EVERY;
        latest = Math.min(latest, step);
    }
    long from = Math.max(0, living.min(latest)), value = part < 0 ? 0 : from == 0 ? start(part) : find(store, lost, part, from).getAsLong();
    ImageTeam team = part < 0 ? living.form(2) : living.form(1, part + 1);
    long result = 0;
    if (part >= 0) {
        result = team.call(scope -> {
            long x = value;
            int next = owners[(part + 1) % owners.length];
            for (long step = from; step < steps; step++) {
                if (step % EVERY == 0) {
                    store.save(me, false, part, step, x);
                    store.save(next, true, part, step, x);
                    team.sync(); // all have saved this step before any overwrites the save before the last
                }
                if (step == fatal) throw Images.failImage();
                x = step(x, team.sum(x), part);
            }
            return team.sum(x);
        });
    }
    return new long[] {living.max(part >= 0 ? result : Long.MIN_VALUE)};
}

/// Returns the value of a part at a step as a living image has saved it.
static OptionalLong find(Store store, ImageSet lost, int part, long step) {
    return IntStream.rangeClosed(1, store.all().numImages()).filter(image -> !lost.contains(image))
            .mapToObj(image -> store.load(image, part, step)).filter(OptionalLong::isPresent).findFirst().orElse(OptionalLong.empty());
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
