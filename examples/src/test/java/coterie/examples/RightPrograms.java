// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.ThreadLevel;
import coterie.World;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;
import java.util.List;

/// Runs [RightProgram]s of many seeds, one after the other: the last one with virtual threads.
///
/// ```
/// RightPrograms FIRST_SEED PROGRAMS THRESHOLD_MS
/// ```
final class RightPrograms {
    /// A wait must be this long before the threads beside it are counted, and before that it is in no verdict.
    private static final long UNCOUNTED_MILLIS = 100;

    private RightPrograms() {}

    public static void main(String[] args) throws InterruptedException {
        long first = Long.parseLong(args[0]);
        int programs = Integer.parseInt(args[1]);
        long threshold = Long.parseLong(args[2]);
        RightProgram.Delays delays = new RightProgram.Delays(UNCOUNTED_MILLIS, UNCOUNTED_MILLIS + 4 * threshold);
        World world = World.join(ThreadLevel.MULTIPLE);
        SymmetricMemory memory = world.allocate(RightProgram.BYTES);
        SymmetricMemory alarms = world.allocate(64);
        Team self = world.team().splitByColor(world.pe(), 0);
        try (StreamRuntime streams = StreamRuntime.open(world);
                WorkStream stream = streams.createStream("S")) {
            RightProgram.Place place = new RightProgram.Place(
                    world,
                    self,
                    memory,
                    stream,
                    new Lateness(world, self, alarms, stream),
                    RightProgram.Place.noneAwaited(world));
            for (int program = 0; program < programs; program++) {
                List<Lateness.Way> ways =
                        program < programs - 1 ? Lateness.REPEATABLE : List.of(Lateness.Way.VIRTUAL_THREAD);
                new RightProgram(first + program, world.size(), ways, delays).run(place);
            }
        }
        System.out.println("PE " + world.pe() + " has run " + programs + " programs");
    }
}
