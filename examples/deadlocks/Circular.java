// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario i: two streams wait for each other in a circle. PE 0 comes to a barrier before it sends what PE 1
/// waits for before the barrier.
///
/// Run: `coterie run -n 2 deadlocks/Circular.java [broken]`
///
/// Prints `fine`; broken: the launcher reports a DEADLOCK with the circle, and which operation to enqueue earlier.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    SymmetricMemory memory = world.allocate(2 * Long.BYTES);
    SignalWord signal = memory.signal(1);
    StreamRuntime runtime = StreamRuntime.open(world);
    WorkStream stream = runtime.createStream("S");
    if (world.pe() == 0) {
        if (isBroken) {
            stream.barrier(world.team());
        }
        stream.put(memory.longs(), 0, 42, 1);
        stream.fence();
        stream.signal(signal.setting(1), 1);
        if (!isBroken) {
            stream.barrier(world.team());
        }
    } else {
        stream.waitUntil(signal, Comparison.GE, 1);
        stream.barrier(world.team());
    }
    stream.synchronize();
    runtime.close();
    if (world.pe() == 1) {
        IO.println(memory.longs().get(0) == 42 ? "fine" : "WRONG");
    }
    world.team().barrier();
}
