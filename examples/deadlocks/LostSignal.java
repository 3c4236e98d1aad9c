// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario vii: two PEs set one signal, and the third waits for a value that the second one overwrites.
///
/// Run: `coterie run -n 3 deadlocks/LostSignal.java [broken]`
///
/// Prints `fine`; broken: the launcher reports a DEADLOCK, the value that the word has, and the value that is
/// awaited.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    SignalWord signal = world.allocate(Long.BYTES).signal(0);
    int me = world.pe();
    if (me > 0) {
        if (isBroken) {
            signal.set(me, 0);
        } else {
            signal.add(1, 0);
        }
        world.context().quiet();
    }
    world.team().sync();
    if (me == 0) {
        StreamRuntime runtime = StreamRuntime.open(world);
        WorkStream stream = runtime.createStream("S");
        if (isBroken) {
            stream.waitUntil(signal, Comparison.EQ, 3); // neither 1 nor 2
        } else {
            stream.waitUntil(signal, Comparison.GE, 2);
        }
        stream.synchronize();
        runtime.close();
        IO.println("fine");
    }
    world.team().barrier();
}
