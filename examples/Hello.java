// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Hello: every PE (processing element) prints its number and its process.
///
/// Shows: joining the world. The runtime closes the world when main returns.
///
/// Run: `coterie run -n 4 Hello.java`
///
/// Prints: `Hello from PE 0 of 4, process 4711` and a line like it from each of PEs 1, 2 and 3. The lines appear
/// in any order.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES Hello.java\nEvery PE prints its number and its process.");
        }
        return;
    }
    long process = ProcessHandle.current().pid();
    IO.println("Hello from PE " + world.pe() + " of " + world.size() + ", process " + process);
}
