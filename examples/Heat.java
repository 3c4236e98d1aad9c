// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final double HOT = 100; // degrees of the upper edge; the other three stay at 0
static final int LINES = 8, COLUMNS = 32; // of the picture

/// Heat: the temperature of a square plate whose upper edge is hot, by Jacobi's method: in each step every point
/// becomes the mean of its four neighbours.
///
/// Each PE owns a band of rows. Above and below its band it keeps a *halo*, a copy of its neighbour's edge row.
/// Steps alternate between two plates: a step reads one and writes the other. A PE begins a step when both
/// neighbours' edge rows of the previous step have arrived. A neighbour that has put those rows has finished that
/// step, and no longer reads the halo that the PE overwrites next. So no PE is more than one step before a
/// neighbour, and the program needs no barrier. Rows of two steps may be in flight at once and overtake each
/// other, so each plate has its own signals. Every PE adds the four neighbours in the same order, so the plate has
/// the same bits for every number of PEs.
///
/// Shows: put with signal to two neighbours, signals that count steps, plain loads and stores of a PE's own part,
/// get. Run: `coterie run -n 4 Heat.java [--size POINTS] [--steps N] [--check 0]`
/// Prints: a picture of the plate and the time of a step. PE 0 then computes the plate by itself; the program
/// fails if the two plates differ. `--check 0` omits this check.
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
    long print = world.team().sum(fingerprint(plate.segment(), first, mine, size));
    report(world, "%d x %d points, %d steps of %.1f us on %d PEs; the plate's fingerprint is %016x",
            size, size, steps, micros, world.size(), print);
    if (me == 0 && options.get("--check") != 0) {
        long alone = fingerprint(warmAlone(size, steps), 0, size, size);
        if (print != alone) {
            throw new IllegalStateException("PE 0 by itself computes a plate with fingerprint %016x".formatted(alone));
        }
    }
}

/// Returns the plate after all steps: this PE's rows, between the two rows of its halo.
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
        if (!isTop) fromAbove[old].waitUntil(Comparison.GE, step - 1);
        if (!isBottom) fromBelow[old].waitUntil(Comparison.GE, step - 1);
        relax(plates[old].segment(), next.segment(), mine, width);
        long last = (long) mine * width;
        if (!isTop) next.putSignal(lowerHalo, next.segment(), width, width, fromBelow[now].setting(step), me - 1);
        if (!isBottom) next.putSignal(0, next.segment(), last, width, fromAbove[now].setting(step), me + 1);
    }
    return plates[steps % 2];
}

/// Returns the plate after all steps, computed by one PE that owns all rows.
MemorySegment warmAlone(int size, int steps) {
    MemorySegment[] plates = new MemorySegment[2];
    for (int i = 0; i < 2; i++) {
        plates[i] = Arena.ofAuto().allocate(ValueLayout.JAVA_DOUBLE, (size + 2L) * (size + 2));
        heat(plates[i], size + 2);
    }
    for (int step = 1; step <= steps; step++) relax(plates[(step - 1) % 2], plates[step % 2], size, size + 2);
    return plates[steps % 2];
}

/// Computes one step of rows 1 to `rows`. Reads row 0, row `rows + 1` and both end columns, and does not write
/// them.
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

/// Returns the number of rows that a PE owns. The first PEs may own one row more than the last ones, which may own
/// none.
int rows(int pe, int size, int pes) {
    return size / pes + (pe < size % pes ? 1 : 0);
}

/// Returns the first row that a PE owns.
int first(int pe, int size, int pes) {
    return pe * (size / pes) + Math.min(pe, size % pes);
}

/// Returns the sum of the bits of all points of these rows, each weighted by its position; the order does not
/// matter.
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

/// Prints a picture of the plate. Gets a point for each character, from the PE that owns it.
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
