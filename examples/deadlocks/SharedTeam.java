// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario v: two streams have a barrier of one team, and nothing orders them. Members match a team's
/// collectives by order, so each PE could match them otherwise.
///
/// Run: `coterie run -n 2 deadlocks/SharedTeam.java [broken]`
///
/// Prints `fine`; broken: the second enqueue throws TEAM_CONCURRENT, with both lines of the program.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    StreamRuntime runtime = StreamRuntime.open(world);
    WorkStream first = runtime.createStream("first");
    WorkStream second = runtime.createStream("second");
    StreamEvent over = runtime.createEvent();
    first.barrier(world.team());
    first.record(over);
    if (!isBroken) {
        second.waitEvent(over);
    }
    second.barrier(world.team());
    second.synchronize();
    runtime.close();
    if (world.pe() == 0) {
        IO.println("fine");
    }
}
