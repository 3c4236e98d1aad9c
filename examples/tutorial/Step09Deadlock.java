// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Step 9 of docs/tutorial.md.
void main() {
    World world = World.join();
    SignalWord ready = world.allocate(Long.BYTES).signal(0);
    int right = (world.pe() + 1) % world.size();

    ready.waitUntil(Comparison.GE, 1);
    ready.add(1, right);
    IO.println("PE " + world.pe() + " goes on");
}
