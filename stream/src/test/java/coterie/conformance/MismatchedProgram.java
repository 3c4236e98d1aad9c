// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.Comparison;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.World;
import coterie.stream.StreamException;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;

/// PEs whose collectives do not match, or of which PE 1 is killed: the argument says which.
final class MismatchedProgram {
    private MismatchedProgram() {}

    /// Runs on each PE.
    static void main(String[] args) {
        World world = World.join();
        SignalWord signal = world.allocate(Long.BYTES).signal(0);
        StreamRuntime runtime = StreamRuntime.open(world);
        WorkStream stream = runtime.createStream("S");
        switch (args[0]) {
            case "sync", "allReduce" -> {
                if (world.pe() == 0) {
                    stream.barrier(world.team());
                    stream.synchronize();
                } else if (args[0].equals("sync")) {
                    world.team().sync();
                } else {
                    world.team().allReduce(Reduction.SUM, 1L);
                }
            }
            case "order" -> {
                if (world.pe() == 0) {
                    stream.barrier(world.team());
                    stream.synchronize();
                    world.team().sync();
                } else {
                    world.team().sync();
                    stream.barrier(world.team());
                    stream.synchronize();
                }
            }
            case "skipped" -> {
                if (world.pe() == 1) {
                    stream.execute(() -> {
                        throw new IllegalStateException("no data");
                    });
                }
                stream.barrier(world.team());
                if (world.pe() == 0) {
                    stream.synchronize();
                }
                signal.waitUntil(Comparison.GE, 1);
            }
            case "killed" -> {
                while (world.pe() == 1) {
                    world.progress();
                }
                stream.waitUntil(signal, Comparison.GE, 1);
                try {
                    stream.synchronize();
                } catch (StreamException e) { // the failure of PE 1, once
                    WorkStream unaware = runtime.createStream("T");
                    unaware.waitUntil(signal, Comparison.GE, 1);
                    unaware.synchronize();
                }
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
