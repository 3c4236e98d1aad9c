// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final double HOT = 100; // degrees of the upper edge; the other three stay at 0
static final int LINES = 8, COLUMNS = 32; // of the picture

/// Heat: how warm a square plate gets whose upper edge is held hot, step by step; each point becomes the mean of
/// its four neighbours (Jacobi's method).
///
/// PEs own bands of rows, with one more row above and below: the *halo*, which gets the edge row of the PE next
/// door. Two plates take turns. A PE begins a step when its neighbours' rows of the step before have come; those
/// were sent by PEs that need the halo of yet a step before no more, which is the one that is written next. So
/// nobody is two steps ahead of a neighbour, and no barrier is needed. Rows of two steps may be under way at once,
/// and overtake each other: so each plate has signals of its own. Every point is the same sum of four, whoever
/// owns it: the plate has the same bits for every number of PEs.
///
/// Shows: put with signal to two neighbours, signals that count, plain loads and stores of the own part, get.
/// Run: `coterie run -n 4 Heat.java [--size POINTS] [--steps N] [--check 0]`
/// Prints: a picture of the plate, the time of a step. Fails if PE 0 alone gets another plate; `--check 0` omits
/// that.
void main(String[] args) {
    var options = new TreeMap<>(Map.of("--size", 100, "--steps", 10_000, "--check", 1));
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES Heat.java [OPTION NUMBER]...\nOptions, defaults: %s", options);
        return;
    }
    for (int i = 0; i < args.length; i += 2) {
        if (i + 1 < args.length && options.replace(args[i], Integer.valueOf(args[i + 1])) != null) continue;
        throw new IllegalArgumentException(args[i] + " is no option with a number; see --help");
    }
    int me = world.pe(), size = options.get("--size"), steps = options.get("--steps");
    if (size < 1) throw new IllegalArgumentException("--size is at least 1, not " + size);

    long start = System.nanoTime();
    DoubleView plate = warm(world, size, steps);
    world.team().barrier();
    double micros = (System.nanoTime() - start) / 1e3 / Math.max(steps, 1);

    if (me == 0) draw(plate, size, world.size());
    int first = first(me, size, world.size()), mine = rows(me, size, world.size());
    long mark = world.team().sum(fingerprint(plate.segment(), first, mine, size));
    report(world, "%d x %d points, %d steps of %.1f us on %d PEs; the plate's fingerprint is %016x",
            size, size, steps, micros, world.size(), mark);
    if (me == 0 && options.get("--check") != 0) {
        long alone = fingerprint(warmAlone(size, steps), 0, size, size);
        if (mark != alone) throw new IllegalStateException("PE 0 alone gets %016x".formatted(alone));
    }
}

/// The plate after all steps: my rows of it, between the two of the halo.
DoubleView warm(World world, int size, int steps) {
    int me = world.pe(), pes = world.size(), width = size + 2, mine = rows(me, size, pes);
    boolean isTop = me == 0, isBottom = me == pes - 1 || rows(me + 1, size, pes) == 0;
    DoubleView[] plates = new DoubleView[2];
    SignalWord[] fromAbove = new SignalWord[2], fromBelow = new SignalWord[2];
    SymmetricMemory signals = world.allocate(4 * Long.BYTES);
    for (int i = 0; i < 2; i++) {
        fromAbove[i] = signals.signal(2 * i);
        fromBelow[i] = signals.signal(2 * i + 1);
        plates[i] = world.allocate((rows(0, size, pes) + 2L) * width * Double.BYTES).doubles();
        if (isTop) heat(plates[i].segment(), width);
    }
    long lowerHalo = (rows(me - 1, size, pes) + 1L) * width; // of the PE above
    for (int step = 1; step <= steps && mine > 0; step++) {
        int old = (step - 1) % 2, now = step % 2;
        DoubleView next = plates[now];
        MemorySegment rows = next.segment();
        if (!isTop) fromAbove[old].waitUntil(Comparison.GE, step - 1);
        if (!isBottom) fromBelow[old].waitUntil(Comparison.GE, step - 1);
        relax(plates[old].segment(), rows, mine, width);
        long last = (long) mine * width;
        if (!isTop) next.putSignal(lowerHalo, rows, width, width, me - 1, fromBelow[now].setting(step));
        if (!isBottom) next.putSignal(0, rows, last, width, me + 1, fromAbove[now].setting(step));
    }
    return plates[steps % 2];
}

/// The same by one PE, which owns all rows and has no neighbours.
MemorySegment warmAlone(int size, int steps) {
    MemorySegment[] plates = new MemorySegment[2];
    for (int i = 0; i < 2; i++) {
        plates[i] = Arena.ofAuto().allocate(ValueLayout.JAVA_DOUBLE, (size + 2L) * (size + 2));
        heat(plates[i], size + 2);
    }
    for (int step = 1; step <= steps; step++) relax(plates[(step - 1) % 2], plates[step % 2], size, size + 2);
    return plates[steps % 2];
}

/// One step of `rows` rows, from row 1 on: row 0 and the one below the last are read only, so are both end
/// columns.
void relax(MemorySegment old, MemorySegment next, int rows, int width) {
    for (long row = 1; row <= rows; row++) {
        long begin = row * width + 1, end = begin + width - 2;
        for (long i = begin; i < end; i++) {
            next.setAtIndex(ValueLayout.JAVA_DOUBLE, i, 0.25 * (at(old, i - width) + at(old, i + width)
                    + (at(old, i - 1) + at(old, i + 1))));
        }
    }
}

double at(MemorySegment plate, long index) {
    return plate.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
}

void heat(MemorySegment plate, int width) {
    for (int i = 0; i < width; i++) plate.setAtIndex(ValueLayout.JAVA_DOUBLE, i, HOT);
}

/// How many rows a PE owns: where it does not come out even, the first ones have one more, and the last may have
/// none.
int rows(int pe, int size, int pes) {
    return size / pes + (pe < size % pes ? 1 : 0);
}

/// The first of them.
int first(int pe, int size, int pes) {
    return pe * (size / pes) + Math.min(pe, size % pes);
}

/// The bits of all points of these rows, each weighed by where it is: in whichever order they are added up.
long fingerprint(MemorySegment plate, int firstRow, int rows, int size) {
    long sum = 0;
    for (long row = 0; row < rows; row++) {
        for (long column = 0; column < size; column++) {
            long bits = Double.doubleToRawLongBits(at(plate, (row + 1) * (size + 2) + column + 1));
            sum += bits * (2 * ((firstRow + row) * size + column) + 1);
        }
    }
    return sum;
}

/// Fetches a point for each character, from the PE that has it.
void draw(DoubleView plate, int size, int pes) {
    for (int line = 0; line < LINES; line++) {
        int row = (2 * line + 1) * size / (2 * LINES), pe = 0;
        while (first(pe + 1, size, pes) <= row) pe++;
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < COLUMNS; column++) {
            long index = (row - first(pe, size, pes) + 1L) * (size + 2) + (2 * column + 1) * size / (2 * COLUMNS) + 1;
            text.append(" .:-=+*#%@".charAt((int) (plate.get(index, pe) / HOT * 9.999)));
        }
        IO.println(text.toString().stripTrailing());
    }
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
