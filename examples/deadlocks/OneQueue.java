// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario iii: two streams share a hardware queue. The waiting kernel is before the notifying one there, though
/// they are in different streams.
///
/// Run: `coterie run -n 1 deadlocks/OneQueue.java [broken]`
///
/// Prints `fine`; broken: the launcher reports a FALSE_DEPENDENCY, with the queue and both streams.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    LongView flag = world.allocate(Long.BYTES).longs();
    StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, DeviceLimits.DEFAULT.withQueues(1));
    WorkStream waiting = runtime.createStream("waiting");
    WorkStream notifying = runtime.createStream("notifying");
    Extent one = Extent.of(1);
    Kernel waitKernel = thread -> thread.waitUntil(flag, 0, Comparison.EQ, 1);
    Kernel notifyKernel = thread -> thread.put(flag, 0, 1, world.pe());
    if (isBroken) {
        waiting.launch(one, one, waitKernel);
        notifying.launch(one, one, notifyKernel);
    } else {
        StreamEvent notified = runtime.createEvent();
        notifying.launch(one, one, notifyKernel);
        notifying.record(notified);
        waiting.waitEvent(notified);
        waiting.launch(one, one, waitKernel);
    }
    waiting.synchronize();
    runtime.close();
    IO.println("fine");
}
