// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;

/// Scenario iv: a kernel whose blocks wait for each other has more blocks than the device runs at a time.
///
/// Run: `coterie run -n 1 deadlocks/LargeGrid.java [broken]`
///
/// Prints `fine`; broken: the launcher reports a FALSE_DEPENDENCY, since threads of blocks wait for blocks that
/// can't start on this device.
void main(String[] args) {
    World world = World.join();
    boolean isBroken = args.length > 0 && args[0].equals("broken");
    DeviceLimits limits = DeviceLimits.DEFAULT.withResidentThreads(4);
    StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, limits);
    WorkStream stream = runtime.createStream("S");
    Extent block = Extent.of(1);
    Kernel kernel = thread -> thread.grid().sync();
    if (isBroken) {
        stream.launch(Extent.of(5), block, kernel);
    } else {
        stream.collectiveLaunch(world.team(), Extent.of(runtime.collectiveLaunchBlocks(block)), block, kernel);
    }
    stream.synchronize();
    runtime.close();
    IO.println("fine");
}
