// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario ix: a thread of the program waits in a collective call, so that it does not enqueue what the other PE
/// waits for.
///
/// Run: `coterie run -n 2 deadlocks/BlockedHost.java [broken]`
///
/// Prints `fine`; broken: the launcher reports a DEADLOCK of PE 0's allocate and PE 1's wait in a stream.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    SignalWord signal = world.allocate(Long.BYTES).signal(0);
    StreamRuntime runtime = StreamRuntime.open(world);
    WorkStream stream = runtime.createStream("S");
    if (world.pe() == 0) {
        if (isBroken) {
            world.allocate(Long.BYTES);
        }
        stream.signal(signal.setting(1), 1);
        stream.synchronize();
        if (!isBroken) {
            world.allocate(Long.BYTES);
        }
    } else {
        stream.waitUntil(signal, Comparison.GE, 1);
        stream.synchronize();
        world.allocate(Long.BYTES);
    }
    runtime.close();
    if (world.pe() == 0) {
        IO.println("fine");
    }
}
