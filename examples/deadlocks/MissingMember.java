// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario viii: a PE leaves before the barrier that the others have in their streams.
///
/// Run: `coterie run -n 3 deadlocks/MissingMember.java [broken]`
///
/// Prints `fine`; broken: the barrier fails with an exception that names the PE that has ended.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    world.team().barrier();
    if (isBroken && world.pe() == 2) {
        System.exit(0);
    }
    StreamRuntime runtime = StreamRuntime.open(world);
    WorkStream stream = runtime.createStream("S");
    stream.barrier(world.team());
    stream.synchronize();
    runtime.close();
    if (world.pe() == 0) {
        IO.println("fine");
    }
}
