// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.gin.CommunicatorRequirements;
import coterie.gin.ConnectionType;
import coterie.gin.DeviceCommunicator;
import coterie.gin.Gin;
import coterie.gin.LocalAction;
import coterie.gin.RemoteAction;
import coterie.gin.Window;
import coterie.gin.WindowFlag;
import java.time.temporal.ChronoUnit;

/// Programs, most of them of GIN, that wait for what never comes, without a deadline: `StuckSignals CASE`.
final class StuckSignals {
    private StuckSignals() {}

    public static void main(String[] arguments) {
        World world = World.join();
        DeviceCommunicator comm = DeviceCommunicator.create(
                world,
                CommunicatorRequirements.DEFAULT
                        .withConnectionType(ConnectionType.FULL)
                        .withContexts(2)
                        .withSignals(4)
                        .withCounters(2)
                        .withWorldBarriers(2)
                        .withTimeout(ChronoUnit.FOREVER.getDuration()));
        Gin gin = comm.gin(0);
        boolean isFirst = world.pe() == 0;
        boolean isLast = world.pe() == world.size() - 1;
        switch (arguments[0]) {
            case "other signal" -> {
                if (isFirst) {
                    gin.signal(comm.worldTeam(), world.size() - 1, RemoteAction.weakSignalInc(2));
                }
                if (isLast) {
                    gin.waitSignal(3, 1);
                }
            }
            case "other context" -> {
                if (isFirst) {
                    comm.gin(1).signal(comm.worldTeam(), world.size() - 1, RemoteAction.weakSignalAdd(3, 5));
                }
                if (isLast) {
                    gin.waitSignal(3, 5);
                }
            }
            case "reset" -> {
                if (isFirst) {
                    gin.signal(comm.worldTeam(), world.size() - 1, RemoteAction.weakSignalAdd(1, 7));
                    gin.quiet();
                }
                world.team().barrier();
                if (isLast) {
                    gin.resetSignal(1);
                    gin.waitSignal(1, 7);
                }
            }
            case "counter" -> {
                Window window = comm.registerWindow(world.allocate(64), WindowFlag.STRICT_ORDERING);
                if (isLast) {
                    gin.put(
                            comm.worldTeam(),
                            0,
                            window,
                            0,
                            window,
                            32,
                            8,
                            RemoteAction.NONE,
                            LocalAction.weakCounterInc(1));
                    gin.waitCounter(1, 2);
                }
            }
            case "barrier" -> {
                if (!isFirst) {
                    comm.worldBarrier(gin, 1).sync();
                }
            }
            case "barrier of another context" ->
                comm.worldBarrier(isFirst ? comm.gin(1) : gin, 1).sync();
            case "word" -> {
                SymmetricMemory memory = world.allocate(256);
                if (!isFirst) {
                    memory.slice(64, 64).ints().waitUntil(3, Comparison.GE, 1);
                }
            }
            case "named word" -> {
                LongView words = world.allocate(64).longs();
                if (!isFirst) {
                    words.named(index -> "halo " + index)
                            .writtenBy(0)
                            .slice(2, 4)
                            .unsigned()
                            .waitUntil(1, Comparison.EQ, 9);
                }
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        world.team().barrier();
    }
}
