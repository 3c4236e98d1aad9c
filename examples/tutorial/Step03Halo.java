// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int CELLS = 4; // of each PE
static final int STEPS = 4;

/// Step 3 of docs/tutorial.md.
void main() {
    World world = World.join();
    int left = (world.pe() + world.size() - 1) % world.size(), right = (world.pe() + 1) % world.size();
    DoubleView now = world.allocate((CELLS + 2) * Double.BYTES).doubles(); // a halo cell at each end
    DoubleView next = world.allocate((CELLS + 2) * Double.BYTES).doubles();
    if (world.pe() == 0) now.set(1, 256);

    for (int step = 0; step < STEPS; step++) {
        now.put(0, now.get(CELLS), right);
        now.put(CELLS + 1, now.get(1), left);
        world.team().barrier();
        for (int i = 1; i <= CELLS; i++) {
            next.set(i, (now.get(i - 1) + 2 * now.get(i) + now.get(i + 1)) / 4);
        }
        DoubleView old = now;
        now = next;
        next = old;
    }

    double[] cells = new double[CELLS];
    now.get(1, cells, 0, CELLS);
    IO.println("PE " + world.pe() + " has " + Arrays.toString(cells));
}
