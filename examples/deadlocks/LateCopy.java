// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;
import coterie.collective.Collective;
import java.lang.foreign.MemorySegment;

/// Scenario vi: a copy from the host's pageable memory returns before the device has the data, and a stream
/// without an order with it uses the old ones. No hang, but a wrong sum, now and then.
///
/// Run: `coterie run -n 1 deadlocks/LateCopy.java [broken]`
///
/// Prints `fine`; broken: a HEAP_RACE warning with the copy's line, and then `WRONG sum 0`.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    IntegerView longs = world.allocate(2 * Long.BYTES).longs();
    StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, DeviceLimits.DEFAULT.withLateCopies(true));
    runtime.onWarning(IO::println);
    WorkStream stream = runtime.createStream("S", StreamOption.NON_BLOCKING);
    MemorySegment one = MemorySegment.ofArray(new long[] {1});
    if (isBroken) {
        runtime.copy(longs, 0, one, 0, 1);
    } else {
        stream.put(longs, 0, one, 0, 1, world.pe()); // in the order of the stream
    }
    stream.collective(
            world.team(), Collective.allReduce(Reduction.SUM).source(longs, 0, 1).target(longs, 1, 1));
    stream.synchronise();
    long sum = longs.get(1);
    runtime.close();
    if (world.pe() == 0) {
        IO.println(sum == world.size() ? "fine" : "WRONG sum " + sum);
    }
}
