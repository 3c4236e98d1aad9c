// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.coarray.*;
import java.util.Arrays;
import java.util.Locale;

static final int CALLS = 20_000;
static final int ROUNDS = 60;
static final int WARM_ROUNDS = 20;

/// What `sync` of images costs beside the barrier of core, by turns in one run: nanoseconds of a call.
///
/// `coterie run -n 2 --bind core bench/programs/SyncCosts.java`
void main() {
    World world = World.join();
    Images.run(world, scope -> {
        ImageTeam images = scope.team();
        Team team = world.team();
        double[] syncs = new double[ROUNDS];
        double[] barriers = new double[ROUNDS];
        for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
            double sync = nanos(images::sync);
            double barrier = nanos(team::barrier);
            if (round >= 0) {
                syncs[round] = sync;
                barriers[round] = barrier;
            }
        }
        if (world.pe() == 0) {
            IO.println("call,least_ns,median_ns,greatest_ns");
            print("barrier", barriers);
            print("sync", syncs);
        }
    });
}

double nanos(Runnable call) {
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
        call.run();
    }
    return (System.nanoTime() - start) / (double) CALLS;
}

void print(String name, double[] nanos) {
    Arrays.sort(nanos);
    IO.println(String.format(
            Locale.ROOT, "%s,%.1f,%.1f,%.1f", name, nanos[0], nanos[ROUNDS / 2], nanos[ROUNDS - 1]));
}
