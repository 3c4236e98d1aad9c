// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Hello: every PE (processing element) says who it is.
///
/// Shows: joining the world. It closes by itself when main returns.
///
/// Run: `coterie run -n 4 Hello.java`
///
/// Prints: `Hello from PE 0 of 4, process 4711`, and the same of PE 1, 2 and 3, in the order in which they come.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES Hello.java\nEvery PE says who it is.");
        }
        return;
    }
    long process = ProcessHandle.current().pid();
    IO.println("Hello from PE " + world.pe() + " of " + world.size() + ", process " + process);
}
