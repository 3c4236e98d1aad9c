// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.gin.*;

/// All-to-all by puts and signals: in each round every PE puts a block to every PE, and waits for a block of each.
///
/// There is no barrier. Each put increments a weak signal at its target, and a PE goes on as soon as its own blocks
/// have come. So a fast PE may be a round before the others, and its blocks may come before those of a slow PE that
/// belong to the round before. Two things keep rounds apart: the blocks of odd and even rounds have places of their
/// own, and odd and even rounds use different contexts, in each of which signal 0 is another word.
///
/// Shows: put with a weak signal, contexts, flush before sources are used again.
/// Run: `coterie run -n 4 PutAllToAll.java [ROUNDS [LONGS]]`
/// Prints: `100 rounds of 64 longs from each of 4 PEs to each: all are right`, and fails if a number is wrong.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) IO.println(USAGE);
        return;
    }
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    int length = args.length > 1 ? Integer.parseInt(args[1]) : 64;
    if (length < 1) throw new IllegalArgumentException("LONGS is at least 1, not " + length);
    int me = world.pe(), pes = world.size();
    CommunicatorRequirements requirements = CommunicatorRequirements.DEFAULT
            .withConnectionType(ConnectionType.FULL)
            .withContexts(2)
            .withSignals(1)
            .withTimeout(Duration.ofMinutes(1));
    DeviceCommunicator comm = DeviceCommunicator.create(world, requirements);
    int contexts = comm.contextCount();
    long half = (long) pes * length;
    LongView out = world.allocate(half * Long.BYTES).longs();
    LongView in = world.allocate(2 * half * Long.BYTES).longs();
    Window source = comm.registerWindow(out.memory()), target = comm.registerWindow(in.memory());
    GinTeam all = comm.worldTeam();
    RemoteAction arrived = RemoteAction.weakSignalInc(0);

    for (int round = 0; round < rounds; round++) {
        Gin gin = comm.gin(round % contexts);
        long base = round % 2 * half, bytes = (long) length * Long.BYTES;
        for (int pe = 0; pe < pes; pe++) {
            for (int i = 0; i < length; i++) out.set((long) pe * length + i, number(round, me, pe, i));
        }
        for (int step = 0; step < pes; step++) {
            int pe = (me + step) % pes; // not all to PE 0 first
            gin.put(all, pe, target, (base + (long) me * length) * Long.BYTES, source, pe * bytes, bytes, arrived);
        }
        gin.waitSignal(0, (round / contexts + 1L) * pes);
        for (int pe = 0; pe < pes; pe++) {
            for (int i = 0; i < length; i++) {
                long got = in.get(base + (long) pe * length + i), expected = number(round, pe, me, i);
                if (got != expected) throw new IllegalStateException("PE " + pe + " has sent " + got);
            }
        }
        gin.flush(); // the next round uses the sources again
    }
    comm.close();
    if (me == 0) {
        IO.println("%d rounds of %d longs from each of %d PEs to each: all are right".formatted(rounds, length, pes));
    }
}

static final String USAGE = "usage: coterie run -n PES PutAllToAll.java [ROUNDS [LONGS]]\n"
        + "In each of ROUNDS rounds (100) every PE puts LONGS numbers (64) to every PE.";

long number(int round, int from, int to, int i) {
    return ((round * 1000L + from) * 1000 + to) * 1000 + i;
}
