// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario x: an operation has failed, and what comes after it never runs. That is no deadlock: each wait for the
/// stream throws the first cause.
///
/// Run: `coterie run -n 1 deadlocks/FailedOperation.java [broken]`
///
/// Prints `fine`; broken: `synchronize` throws the failure of S#0, with the operations that were skipped.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    StreamRuntime runtime = StreamRuntime.open(world);
    WorkStream stream = runtime.createStream("S");
    WorkStream other = runtime.createStream("other");
    StreamEvent computed = runtime.createEvent();
    stream.execute(() -> {
        if (isBroken) {
            throw new IllegalStateException("no data");
        }
    });
    stream.record(computed);
    other.waitEvent(computed);
    other.barrier(world.team());
    other.synchronize();
    runtime.close();
    if (world.pe() == 0) {
        IO.println("fine");
    }
}
