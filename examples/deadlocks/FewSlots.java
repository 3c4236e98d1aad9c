// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario ii: a device with room for one kernel at a time. A kernel that waits holds the room that the notifying
/// kernel needs: streams alone order nothing.
///
/// Run: `coterie run -n 1 deadlocks/FewSlots.java [broken]`
///
/// Prints `fine`; broken: the launcher reports a FALSE_DEPENDENCY, and which kernel holds the slot.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    LongView flag = world.allocate(Long.BYTES).longs();
    DeviceLimits limits = DeviceLimits.DEFAULT
            .withSlots(1)
            .withStartOrder(StartOrder.of(java.util.List.of("waiting#0", "notifying#0"))); // a device may choose it
    StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, limits);
    WorkStream waiting = runtime.createStream("waiting");
    WorkStream notifying = runtime.createStream("notifying");
    StreamEvent notified = runtime.createEvent();
    Extent one = Extent.of(1);
    notifying.launch(one, one, thread -> thread.put(flag, 0, 1, world.pe()));
    notifying.record(notified);
    if (!isBroken) {
        waiting.waitEvent(notified); // the device knows what comes first
    }
    waiting.launch(one, one, thread -> thread.waitUntil(flag, 0, Comparison.EQ, 1));
    waiting.synchronize();
    runtime.close();
    IO.println("fine");
}
