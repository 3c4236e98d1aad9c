// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Step 2 of docs/tutorial.md.
void main() {
    World world = World.join();
    LongView inbox = world.allocate(Long.BYTES).longs();
    int right = (world.pe() + 1) % world.size();

    inbox.put(0, 100 + world.pe(), right);
    long got = inbox.waitUntil(0, Comparison.NE, 0);
    IO.println("PE " + world.pe() + " got " + got);
}
