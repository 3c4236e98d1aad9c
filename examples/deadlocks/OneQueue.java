// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario iii: two streams share a hardware queue. The wait is before the notification there, though they are in
/// different streams.
///
/// Run: `coterie run -n 1 deadlocks/OneQueue.java [broken]`
///
/// Prints `fine`; broken: the launcher reports a FALSE_DEPENDENCY, with the queue and both streams.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    SymmetricMemory memory = world.allocate(Long.BYTES);
    StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, DeviceLimits.DEFAULT.withQueues(1));
    WorkStream waiting = runtime.createStream("waiting");
    WorkStream notifying = runtime.createStream("notifying");
    if (isBroken) {
        waiting.waitUntil(memory.longs(), 0, Comparison.EQ, 1);
        notifying.put(memory.longs(), 0, 1, world.pe());
    } else {
        StreamEvent notified = runtime.createEvent();
        notifying.put(memory.longs(), 0, 1, world.pe());
        notifying.record(notified);
        waiting.waitEvent(notified);
        waiting.waitUntil(memory.longs(), 0, Comparison.EQ, 1);
    }
    waiting.synchronise();
    runtime.close();
    IO.println("fine");
}
