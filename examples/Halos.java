// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.coarray.*;
import coterie.gin.*;
import coterie.stream.*;

static final int CELLS = 1_000; // of each PE, between the two cells of its halo
static final int STEPS = 100;

/// Halos: the same halo exchange four times, by puts with signals, on a stream, by GIN and by coarrays.
///
/// The cells of all PEs form a ring. In each step a PE sends its first cell to its left neighbour and its last cell to
/// its right one, and then every cell becomes the mean of its two neighbours. After each step all PEs meet: no PE
/// writes a halo that is still read.
///
/// Shows: what each face of Coterie calls the same thing; docs/five-faces.md has the four side by side.
/// Run: `coterie run -n 4 Halos.java`
/// Prints: a line for each face, with one sum for all; fails if the cells of two faces differ.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) IO.println("usage: coterie run -n PES Halos.java");
        return;
    }
    int me = world.pe(), pes = world.size(), left = (me + pes - 1) % pes, right = (me + 1) % pes;
    double[] expected = puts(world, left, right);
    report(world, "puts with signals", expected, expected);
    report(world, "stream", stream(world, left, right), expected);
    report(world, "GIN", gin(world, left, right), expected);
    report(world, "coarrays", coarrays(world), expected);
}

double[] puts(World world, int left, int right) {
    try (SymmetricMemory memory = world.allocate((CELLS + 2) * Double.BYTES);
            SymmetricMemory signals = world.allocate(Long.BYTES)) {
        DoubleView cells = memory.doubles();
        SignalWord arrived = signals.signal(0);
        begin(cells.segment(), world.pe());
        for (int step = 1; step <= STEPS; step++) {
            cells.putSignal(CELLS + 1, cells.segment(), 1, 1, arrived.adding(1), left);
            cells.putSignal(0, cells.segment(), CELLS, 1, arrived.adding(1), right);
            arrived.waitUntil(Comparison.GE, 2 * step);
            relax(cells.segment());
            world.team().sync();
        }
        return end(cells.segment());
    }
}

double[] stream(World world, int left, int right) {
    try (SymmetricMemory memory = world.allocate((CELLS + 2) * Double.BYTES);
            SymmetricMemory signals = world.allocate(Long.BYTES);
            StreamRuntime runtime = StreamRuntime.open(world)) {
        DoubleView cells = memory.doubles();
        SignalWord arrived = signals.signal(0);
        WorkStream stream = runtime.createStream("halo");
        begin(cells.segment(), world.pe());
        for (int step = 1; step <= STEPS; step++) { // enqueues all steps, and runs none
            stream.putSignal(cells, CELLS + 1, cells.segment(), 1, 1, arrived.adding(1), left);
            stream.putSignal(cells, 0, cells.segment(), CELLS, 1, arrived.adding(1), right);
            stream.waitUntil(arrived, Comparison.GE, 2 * step);
            stream.execute(() -> relax(cells.segment()));
            stream.sync(world.team());
        }
        stream.synchronize();
        return end(cells.segment());
    }
}

double[] gin(World world, int left, int right) {
    try (SymmetricMemory memory = world.allocate((CELLS + 2) * Double.BYTES);
            DeviceCommunicator comm = DeviceCommunicator.create(
                    world, CommunicatorRequirements.DEFAULT.withConnectionType(ConnectionType.FULL).withSignals(1));
            Window window = comm.registerWindow(memory)) {
        DoubleView cells = memory.doubles();
        Gin gin = comm.gin(0);
        GinTeam all = comm.worldTeam();
        long first = Double.BYTES, last = CELLS * Double.BYTES, size = Double.BYTES; // windows count bytes
        begin(cells.segment(), world.pe());
        for (int step = 1; step <= STEPS; step++) {
            gin.put(all, left, window, last + size, window, first, size, RemoteAction.weakSignalInc(0));
            gin.put(all, right, window, 0, window, last, size, RemoteAction.weakSignalInc(0));
            gin.waitSignal(0, 2 * step);
            relax(cells.segment());
            world.team().sync();
        }
        return end(cells.segment());
    }
}

double[] coarrays(World world) {
    double[][] result = new double[1][];
    Images.run(world, scope -> {
        DoubleCoarray cells = scope.allocateDoubles(CELLS + 2);
        int me = Images.thisImage(), images = Images.numImages(); // images count from 1
        int left = me == 1 ? images : me - 1, right = me == images ? 1 : me + 1;
        begin(cells.local(), me - 1);
        for (int step = 1; step <= STEPS; step++) {
            scope.team().sync();
            cells.put(CELLS + 1, cells.get(1), left);
            cells.put(0, cells.get(CELLS), right);
            scope.team().sync();
            relax(cells.local());
        }
        result[0] = end(cells.local());
    });
    return result[0];
}

void begin(MemorySegment cells, int pe) {
    for (int i = 1; i <= CELLS; i++) set(cells, i, 1_000.0 * pe + i);
}

/// Computes a step: every cell becomes the mean of its neighbours as they were before.
void relax(MemorySegment cells) {
    double before = get(cells, 0);
    for (int i = 1; i <= CELLS; i++) {
        double old = get(cells, i);
        set(cells, i, (before + get(cells, i + 1)) / 2);
        before = old;
    }
}

double[] end(MemorySegment cells) {
    return cells.asSlice(Double.BYTES, (long) CELLS * Double.BYTES).toArray(ValueLayout.JAVA_DOUBLE);
}

double get(MemorySegment cells, int index) {
    return cells.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
}

void set(MemorySegment cells, int index, double value) {
    cells.setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
}

void report(World world, String face, double[] cells, double[] expected) {
    if (!Arrays.equals(cells, expected)) {
        throw new IllegalStateException(face + ": the cells of PE " + world.pe() + " are others than by puts");
    }
    double sum = world.team().sum(Arrays.stream(cells).sum());
    if (world.pe() == 0) IO.println("%s: the cells of %d PEs add up to %.1f".formatted(face, world.size(), sum));
}
