// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Step 8 of docs/tutorial.md.
void main() {
    World world = World.join();
    Team workers = world.team().duplicate();
    world.team().syncLiving(); // all have their team before one fails
    try {
        if (world.pe() == 1) throw world.fail(); // ends this PE as kill -9 would
        workers.barrier();
    } catch (PeFailedException | TeamRevokedException e) {
        workers.revoke(); // ends the waits of members that have not noticed
        Team survivors = workers.survivors();
        IO.println("PE " + world.pe() + " goes on as member " + survivors.member() + " of " + survivors.size()
                + "; failed: " + Arrays.toString(world.failedPes()) + ", sum: " + survivors.sum(world.pe()));
    }
}
