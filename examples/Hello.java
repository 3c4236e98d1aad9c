// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final long SLOT = 64; // bytes of one greeting, its ending zero included

/// Hello: every PE (processing element) puts a greeting into PE 0's memory, and PE 0 prints them in order.
///
/// Shows: joining the world, symmetric memory, put, barrier.
///
/// Run: `coterie run -n 4 Hello.java`
///
/// Prints: `Hello from PE 0 of 4, process 4711`, then the same of PE 1, 2 and 3.
void main(String[] args) {
    try (World world = World.join()) {
        if (args.length > 0) {
            if (world.pe() == 0) {
                IO.println("usage: coterie run -n PES Hello.java\nEvery PE says hello; PE 0 prints it all, in order.");
            }
            return;
        }
        String hello = "Hello from PE %d of %d, process %d"
                .formatted(world.pe(), world.size(), ProcessHandle.current().pid());
        MemorySegment mine = MemorySegment.ofArray(hello.getBytes(StandardCharsets.UTF_8));

        SymmetricMemory greetings = world.allocate(SLOT * world.size());
        world.context().put(greetings, SLOT * world.pe(), mine, 0, mine.byteSize(), 0);
        world.team().barrier();

        if (world.pe() == 0) {
            for (int pe = 0; pe < world.size(); pe++) {
                IO.println(greetings.segment().getString(SLOT * pe));
            }
        }
    }
}
