// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;
import java.lang.foreign.MemorySegment;

/// Scenario vi: a copy from the host's pageable memory returns before the device has the data, and a reduction
/// that the host calls next uses the old ones. No hang, but a wrong result, now and then.
///
/// Run: `coterie run -n 1 deadlocks/LateCopy.java [broken]`
///
/// Prints `fine`; broken: a HEAP_RACE warning with the lines of the reduction and the copy, and then
/// `WRONG or 0`.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    LongView longs = world.allocate(2 * Long.BYTES).longs();
    StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, DeviceLimits.DEFAULT.withLateCopies(true));
    runtime.onWarning(IO::println);
    WorkStream stream = runtime.createStream("S", StreamOption.NON_BLOCKING);
    MemorySegment out = MemorySegment.ofArray(new long[] {1L << world.pe()});
    if (isBroken) {
        runtime.copy(longs, 0, out, 0, 1);
    } else {
        stream.put(longs, 0, out, 0, 1, world.pe()); // an explicitly asynchronous copy, and a wait for its stream
        stream.synchronize();
    }
    world.team().allReduce(IntegerReduction.OR, longs, 1, longs, 0, 1);
    long all = longs.get(1);
    runtime.close();
    if (world.pe() == 0) {
        IO.println(all == (1L << world.size()) - 1 ? "fine" : "WRONG or " + all);
    }
}
