// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.gin.*;

/// Ring with counters: in each step every PE puts a block to its right neighbour, and gets one from its left, adds
/// one to all its elements, and sends it on.
///
/// A PE has a few slots to send from, and a few to receive in. Three words guard a slot. A *counter* of the sender
/// says that the put has read the slot: the sender may fill it again. The signal `filled` says that the left
/// neighbour's block has come. The signal `freed` says that the right neighbour has read its slot. Each slot has a
/// counter of its own, because a counter tells how many puts are done, and not which.
///
/// Shows: counters, put with a remote and a local action, signals without a put.
/// Run: `coterie run -n 4 CounterRing.java [STEPS]`
/// Prints: `1000 steps round 4 PEs: all blocks are right, the counters are 334, 333, 333`, and fails if an element
/// is wrong.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) IO.println(USAGE);
        return;
    }
    int steps = args.length > 0 ? Integer.parseInt(args[0]) : 1000, me = world.pe(), pes = world.size();
    CommunicatorRequirements requirements = CommunicatorRequirements.DEFAULT
            .withConnectionType(ConnectionType.FULL)
            .withSignals(2 * SLOTS)
            .withCounters(SLOTS)
            .withTimeout(Duration.ofMinutes(1));
    DeviceCommunicator comm = DeviceCommunicator.create(world, requirements);
    Gin gin = comm.gin(0);
    GinTeam all = comm.worldTeam();
    int left = (me + pes - 1) % pes, right = (me + 1) % pes;
    LongView out = world.allocate((long) SLOTS * LENGTH * Long.BYTES).longs();
    LongView in = world.allocate((long) SLOTS * LENGTH * Long.BYTES).longs();
    Window source = comm.registerWindow(out.memory()), target = comm.registerWindow(in.memory());
    long[] block = new long[LENGTH];
    Arrays.setAll(block, i -> 1_000_000L * me + i);

    for (int step = 0; step < steps; step++) {
        int slot = step % SLOTS, filled = slot, freed = SLOTS + slot;
        long before = step / SLOTS, first = (long) slot * LENGTH; // how often the slot was used
        gin.waitCounter(slot, before);
        for (int i = 0; i < LENGTH; i++) out.set(first + i, block[i]);
        gin.waitSignal(freed, before);
        gin.put(all, right, target, first * Long.BYTES, source, first * Long.BYTES, LENGTH * Long.BYTES,
                RemoteAction.weakSignalInc(filled), LocalAction.weakCounterInc(slot));
        gin.waitSignal(filled, before + 1);
        for (int i = 0; i < LENGTH; i++) block[i] = in.get(first + i) + 1;
        gin.signal(all, left, RemoteAction.weakSignalInc(freed));
    }
    gin.flush();
    int origin = Math.floorMod(me - steps, pes);
    for (int i = 0; i < LENGTH; i++) {
        if (block[i] != 1_000_000L * origin + i + steps) {
            throw new IllegalStateException("element " + i + " of PE " + me + " is " + block[i]);
        }
    }
    world.team().sync();
    if (me == 0) {
        String counters = IntStream.range(0, SLOTS)
                .mapToObj(slot -> Long.toString(gin.readCounter(slot)))
                .collect(Collectors.joining(", "));
        IO.println("%d steps round %d PEs: all blocks are right, the counters are %s".formatted(steps, pes, counters));
    }
    comm.close();
}

static final String USAGE = "usage: coterie run -n PES CounterRing.java [STEPS]\n"
        + "In each of STEPS steps (1000) every PE puts a block to its right neighbour.";
static final int SLOTS = 3, LENGTH = 64; // slots of a PE, longs of a block
