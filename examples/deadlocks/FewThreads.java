// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario ii: a device that runs few threads at a time. The blocks of a kernel that waits hold them, so that no
/// block of the notifying kernel can start.
///
/// Run: `coterie run -n 1 deadlocks/FewThreads.java [broken]`
///
/// Prints `fine`; broken: the launcher reports a FALSE_DEPENDENCY, and which kernel holds the threads.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    LongView flag = world.allocate(Long.BYTES).longs();
    DeviceLimits limits = DeviceLimits.DEFAULT.withResidentThreads(2);
    StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, limits);
    WorkStream waiting = runtime.createStream("waiting");
    WorkStream notifying = runtime.createStream("notifying");
    Extent blocks = Extent.of(isBroken ? 2 : 1); // one block leaves room for the other kernel
    waiting.launch(blocks, Extent.of(1), thread -> thread.waitUntil(flag, 0, Comparison.EQ, 1));
    notifying.launch(Extent.of(1), Extent.of(1), thread -> thread.put(flag, 0, 1, world.pe()));
    waiting.synchronize();
    runtime.close();
    IO.println("fine");
}
