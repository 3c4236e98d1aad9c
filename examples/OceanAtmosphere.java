// SPDX-License-Identifier: Apache-2.0
import coterie.coarray.*;

/// Ocean and atmosphere: two models, each on a team of images of its own, that exchange heat at the surface.
///
/// Each model has a ring of cells, spread over the images of its team. It conducts heat between neighbours, in steps
/// of its own: the atmosphere does five while the ocean does one. In these steps it knows nothing of the other
/// model: its images count from 1, and synchronize among themselves. After them all images synchronize through the
/// parent team, and each image reads the surface of the other model at its own cells, from the images of the
/// *sibling* team. Heat is an integer, and what a cell gives its neighbour gets, so no heat is lost.
///
/// Shows: form team, change team, access to siblings, synchronization of the parent inside a child.
/// Run: `coterie run -n 4 OceanAtmosphere.java [CELLS [EXCHANGES]]`
/// Prints: the mean heat of both models. The program fails if the heat has changed, or if image 1 by itself
/// computes something else.
void main(String[] args) {
    if (args.length > 0 && args[0].equals("--help")) {
        Images.run(scope -> {
            if (scope.team().thisImage() == 1) IO.println(USAGE);
        });
        return;
    }
    int cells = args.length > 0 ? Integer.parseInt(args[0]) : 120, exchanges = args.length > 1 ? Integer.parseInt(args[1]) : 200;
    Images.run(scope -> {
        ImageTeam all = scope.team();
        if (all.numImages() < 2 || cells < 1) {
            if (all.thisImage() == 1) IO.println("two models need at least two images and one cell");
            return;
        }
        boolean isOcean = all.thisImage() <= all.numImages() / 2;
        ImageTeam model = all.form(isOcean ? OCEAN : AIR);
        int per = Math.ceilDiv(cells, all.numImages() / 2);
        IntegerCoarray surface = scope.allocateLongs(per);
        long heat = model.call(inner -> {
            IntegerCoarray heats = inner.allocateLongs(Shape.of(per, 2).withLower(0, 0)); // now, and one step later
            return run(new Ring(model, cells), heats, surface, isOcean, exchanges);
        });
        long ocean = all.sum(isOcean ? heat : 0), air = all.sum(isOcean ? 0 : heat);
        if (all.thisImage() != 1) return;
        IO.println("after %d exchanges on %d images: ocean %d, atmosphere %d".formatted(
                exchanges, all.numImages(), ocean / cells, air / cells));
        long[][] alone = alone(cells, exchanges);
        if (ocean != Arrays.stream(alone[0]).sum() || air != Arrays.stream(alone[1]).sum()) {
            throw new IllegalStateException("image 1 by itself gets another result");
        }
    });
}

static final String USAGE = """
        usage: coterie run -n PES OceanAtmosphere.java [CELLS [EXCHANGES]]
        Two models on teams of images exchange heat, CELLS cells each (120), EXCHANGES times (200).""";
static final long OCEAN = 1, AIR = 2;
static final int AIR_STEPS = 5;

/// The cells of a model, in blocks of equal size over its team; the last blocks may be short or empty.
record Ring(ImageTeam team, int cells) {
    int block() {
        return Math.ceilDiv(cells, team.numImages());
    }

    int image(int cell) {
        return cell / block() + 1;
    }

    int first() {
        return Math.min(cells, (team.thisImage() - 1) * block());
    }

    int end() {
        return Math.min(cells, first() + block());
    }
}

/// Runs the model of this image's team, and returns the heat of this image's cells.
long run(Ring ring, IntegerCoarray heats, IntegerCoarray surface, boolean isOcean, int exchanges) {
    ImageTeam team = ring.team(), all = team.parent();
    int now = 0;
    IntegerCoarray other = surface.in(team.sibling(isOcean ? AIR : OCEAN));
    int others = isOcean ? all.numImages() - team.numImages() : all.numImages() / 2, theirBlock = Math.ceilDiv(ring.cells(), others);
    for (int cell = ring.first(); cell < ring.end(); cell++) {
        heats.set(heats.at(cell - ring.first(), 0), start(isOcean, cell, ring.cells()));
    }
    team.sync();
    for (int exchange = 0; exchange < exchanges; exchange++) {
        for (int step = 0; step < (isOcean ? 1 : AIR_STEPS); step++) {
            for (int cell = ring.first(); cell < ring.end(); cell++) {
                int left = Math.floorMod(cell - 1, ring.cells()), right = (cell + 1) % ring.cells(), b = ring.block();
                long mine = heats.get(heats.at(cell - ring.first(), now));
                long a = heats.get(heats.at(left % b, now), ring.image(left)), c = heats.get(heats.at(right % b, now), ring.image(right));
                heats.set(heats.at(cell - ring.first(), 1 - now), mine + (a - mine) / 8 + (c - mine) / 8);
            }
            now = 1 - now;
            team.sync();
        }
        for (int cell = ring.first(); cell < ring.end(); cell++) {
            surface.set(cell - ring.first(), heats.get(heats.at(cell - ring.first(), now)));
        }
        all.sync(); // both models have published their surface
        for (int cell = ring.first(); cell < ring.end(); cell++) {
            long mine = surface.get(cell - ring.first()), theirs = other.get(cell % theirBlock, cell / theirBlock + 1);
            heats.set(heats.at(cell - ring.first(), now), mine + (theirs - mine) / 8);
        }
        all.sync(); // both models have read it
    }
    long heat = 0;
    for (int cell = ring.first(); cell < ring.end(); cell++) heat += heats.get(heats.at(cell - ring.first(), now));
    return heat;
}

static long start(boolean isOcean, int cell, int cells) {
    return isOcean ? 4_000_000L + 1000L * cell : 1_000_000L * (cell * 5 / cells);
}

/// Computes both models in one thread.
static long[][] alone(int cells, int exchanges) {
    long[][] heats = new long[2][cells];
    for (int model = 0; model < 2; model++) {
        for (int cell = 0; cell < cells; cell++) heats[model][cell] = start(model == 0, cell, cells);
    }
    for (int exchange = 0; exchange < exchanges; exchange++) {
        for (int model = 0; model < 2; model++) {
            for (int step = 0; step < (model == 0 ? 1 : AIR_STEPS); step++) {
                long[] old = heats[model].clone();
                for (int cell = 0; cell < cells; cell++) {
                    long mine = old[cell], a = old[Math.floorMod(cell - 1, cells)], c = old[(cell + 1) % cells];
                    heats[model][cell] = mine + (a - mine) / 8 + (c - mine) / 8;
                }
            }
        }
        for (int cell = 0; cell < cells; cell++) {
            long ocean = heats[0][cell], air = heats[1][cell];
            heats[0][cell] = ocean + (air - ocean) / 8;
            heats[1][cell] = air + (ocean - air) / 8;
        }
    }
    return heats;
}
