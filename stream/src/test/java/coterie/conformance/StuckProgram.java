// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.Comparison;
import coterie.DeadlockException;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;
import java.util.concurrent.TimeUnit;

/// Two or more PEs that wait for what never comes, or comes late: the argument says for what.
final class StuckProgram {
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(4);

    /// More than the operations of which a report tells that they are over.
    private static final int PUTS = 40;

    private StuckProgram() {}

    /// Runs on each PE.
    static void main(String[] args) {
        World world = World.join();
        SymmetricMemory memory = world.allocate(8 * Long.BYTES);
        SignalWord signal = memory.signal(0);
        StreamRuntime runtime = StreamRuntime.open(world);
        WorkStream stream = runtime.createStream("S");
        boolean isGraph = args[0].equals("graph");
        if (isGraph) {
            stream.beginCapture();
        }
        for (int i = 0; args[0].equals("history") && i < PUTS; i++) {
            stream.put(memory.longs(), 2, i, world.pe());
        }
        if (world.pe() != 1) {
            stream.waitUntil(signal, Comparison.GE, 1);
        }
        switch (args[0]) {
            case "circle", "graph", "history" -> {
                stream.barrier(world.team());
                for (int pe = 0; pe < world.size(); pe++) {
                    stream.signal(signal.setting(1), pe);
                }
            }
            case "computes" -> {
                if (world.pe() == 1) {
                    compute();
                }
                release(world, signal);
            }
            case "function" -> {
                if (world.pe() == 1) {
                    for (int i = 0; i < PUTS; i++) {
                        stream.put(memory.longs(), 2, i, world.pe());
                    }
                    stream.execute(StuckProgram::compute);
                    stream.signal(signal.setting(1), 0);
                }
            }
            case "polls" -> {
                LongView longs = memory.longs();
                while (world.pe() == 1 && !longs.test(1, Comparison.EQ, 1)) {
                    Thread.onSpinWait();
                }
            }
            case "thread" -> {
                if (world.pe() == 1) {
                    Thread.ofPlatform().name("helper").start(() -> release(world, signal));
                }
            }
            case "hosts" -> {
                if (world.pe() == 1) {
                    signal.waitUntil(Comparison.GE, 1);
                }
                release(world, signal);
            }
            case "sends" -> release(world, signal);
            case "astray" -> signal.set(1, 1); // and not on PE 0
            default -> throw new IllegalArgumentException(args[0]);
        }
        if (isGraph) {
            stream.launch(stream.endCapture());
        }
        try {
            stream.synchronize();
            runtime.close();
            System.out.println("fine");
        } catch (DeadlockException e) {
            System.out.println(e.getMessage());
            Runtime.getRuntime().halt(0);
        }
    }

    private static void compute() {
        long end = System.nanoTime() + LATE_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void release(World world, SignalWord signal) {
        for (int pe = 0; world.pe() == 1 && pe < world.size(); pe++) {
            signal.set(1, pe);
        }
        world.context().quiet();
    }
}
