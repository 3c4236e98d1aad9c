// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Step 1 of docs/tutorial.md.
void main() {
    World world = World.join();
    IO.println("PE " + world.pe() + " of " + world.size() + " says hello");
}
