// SPDX-License-Identifier: Apache-2.0
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import coterie.*;

static final int[] LOG_SIZES = {5, 7, 8, 8}; // of the grids of classes S, W, A, B
static final int[] ITERATIONS = {4, 4, 4, 20};
static final double[] NORMS = {0.5307707005734e-4, 0.6467329375339e-5, 0.2433365309069e-5, 0.1800564401355e-5};
static final int CHARGES = 10; // of each sign
static final long SEED = 314_159_265;

/// MG: Poisson's equation on a periodic grid, with a few point charges, by a multigrid method.
///
/// The residual of a guess is coarsened from grid to grid, each half as fine as the one before. On the coarsest grid
/// the correction is one smoothing step; then each finer grid begins with the interpolated correction, and smooths what
/// is left. Each PE has a box of each grid and exchanges faces with its neighbours. Grids of at most 16 points along an
/// axis, or too small for the PEs, are gathered, and each PE computes them whole: messages would take longer.
/// The number of PEs is a power of 2.
///
/// Shows: a halo exchange in three dimensions by puts with signals.
/// Run: `coterie run -n 4 MG.java [S | W | A | B]`
/// Prints: the norm of the residual. The program fails if it is wrong.
void main(String[] args) {
    World world = World.join();
    if (Npb.helps(world, "MG", args)) return;
    Npb npb = Npb.of(world, "MG", args);
    int logSize = LOG_SIZES[npb.index()], size = 1 << logSize, iterations = ITERATIONS[npb.index()];
    Multigrid grids = new Multigrid(world, logSize, npb.letter() == 'B');
    new Extremes(grids, size).place();
    grids.begin();
    grids.iterate(); // the compiler's turn

    grids.begin();
    long start = npb.start();
    grids.residual();
    for (int i = 0; i < iterations; i++) grids.iterate();
    double norm = Math.sqrt(world.team().sum(grids.r[logSize].squares()) / size / size / size);
    double seconds = npb.seconds(start);
    npb.print("the norm of the residual is %.13e", norm);
    boolean right = Npb.near(norm, NORMS[npb.index()], 1e-8);
    double operations = 58.0 * iterations * size * size * size;
    npb.report("%1$4dx%1$4dx%1$4d".formatted(size), iterations, seconds, operations, "floating point", right);
}

/// This PE's part of the grids. Grid k has 2 to the power k points along each axis.
class Multigrid {
    final World world;
    final CubeHalos halos;
    final int finest, whole; // grids; up to `whole` each PE has all points
    final Cube[] u, r; // by grid
    final Cube v; // the charges
    final Cube part; // of grid `whole`, if other PEs have other parts
    final DoubleView mine, all; // points of `part`, and of all PEs' parts
    final double[] means;
    final Stencil equation, smoother, mean;

    Multigrid(World world, int finest, boolean large) {
        this.world = world;
        this.finest = finest;
        int[] sizes = arrange(world.size(), finest);
        int longest = (1 << finest) / sizes[0] + 2, points = longest * ((1 << finest) / sizes[1] + 2);
        halos = new CubeHalos(world, sizes, points);
        int most = Arrays.stream(sizes).max().getAsInt();
        whole = world.size() == 1 ? 0 : Math.max(4, Integer.numberOfTrailingZeros(most));
        u = new Cube[finest + 1];
        r = new Cube[finest + 1];
        for (int k = 1; k <= finest; k++) {
            u[k] = cube(k, k > whole);
            r[k] = cube(k, k > whole);
        }
        v = cube(finest, true);
        part = cube(whole, true);
        mine = world.allocate((long) part.x() * part.y() * part.z() * Double.BYTES).doubles();
        all = world.allocate(mine.length() * world.size() * Double.BYTES).doubles();

        means = new double[longest];
        equation = new Stencil(longest, 8.0 / 3, 0, -1.0 / 6, -1.0 / 12); // minus the Laplacian
        smoother = large
                ? new Stencil(longest, -3.0 / 17, 1.0 / 33, -1.0 / 61, 0)
                : new Stencil(longest, -3.0 / 8, 1.0 / 32, -1.0 / 64, 0);
        mean = new Stencil(longest, 0.5, 0.25, 0.125, 0.0625);
    }

    /// Returns the sizes of a grid of PEs along x, y and z. Rows along x are divided last: they make long loops.
    static int[] arrange(int pes, int finest) {
        int log = Integer.numberOfTrailingZeros(pes), most = 3 * (finest - 1);
        if (Integer.bitCount(pes) != 1 || log > most) {
            throw new IllegalArgumentException(
                    "MG runs on a power of 2 of PEs up to 2^%d in this class, not on %d".formatted(most, pes));
        }
        return new int[] {1 << log / 3, 1 << (log + 1) / 3, 1 << (log + 2) / 3};
    }

    Cube cube(int grid, boolean divided) {
        int size = 1 << grid;
        int[] by = divided ? halos.sizes : new int[] {1, 1, 1};
        return Cube.of(size / by[0], size / by[1], size / by[2]);
    }

    /// Begins with 0.
    void begin() {
        u[finest].clear();
        residual();
    }

    /// r = v - A · u.
    void residual() {
        equation.add(u[finest], v, r[finest]);
        halos.exchange(r[finest]);
    }

    /// Corrects u, and computes the residual.
    void iterate() {
        for (int k = finest; k > 1; k--) {
            mean.coarsen(r[k], k - 1 == whole ? part : r[k - 1]);
            if (k - 1 == whole) gather();
            exchange(k - 1, r);
        }
        u[1].clear();
        smooth(1);
        for (int k = 2; k <= finest; k++) {
            if (k < finest) u[k].clear();
            if (k - 1 == whole) extract();
            (k - 1 == whole ? part : u[k - 1]).interpolate(u[k], means);
            equation.add(u[k], k < finest ? r[k] : v, r[k]);
            exchange(k, r);
            smooth(k);
        }
        residual();
    }

    void smooth(int k) {
        smoother.add(r[k], u[k], u[k]);
        exchange(k, u);
    }

    void exchange(int k, Cube[] cubes) {
        if (k > whole) {
            halos.exchange(cubes[k]);
        } else {
            CubeHalos.wrap(cubes[k]);
        }
    }

    /// Gathers the parts of a residual.
    void gather() {
        long to = 0;
        for (int k = 1; k <= part.z(); k++) {
            for (int j = 1; j <= part.y(); j++, to += part.x()) mine.set(to, part.row(j, k), 1, part.x());
        }
        world.team().allGather(all, 0, mine, 0, mine.length());
        int[] sizes = halos.sizes;
        long from = 0;
        for (int pe = 0; pe < world.size(); pe++) {
            int x = pe % sizes[0] * part.x();
            int y = pe / sizes[0] % sizes[1] * part.y(), z = pe / sizes[0] / sizes[1] * part.z();
            for (int k = 1; k <= part.z(); k++) {
                for (int j = 1; j <= part.y(); j++, from += part.x()) {
                    all.get(from, r[whole].row(y + j, z + k), x + 1, part.x());
                }
            }
        }
    }

    /// Extracts this PE's part of a correction, with its halo.
    void extract() {
        int x = halos.place[0] * part.x(), y = halos.place[1] * part.y(), z = halos.place[2] * part.z();
        for (int k = 0; k < part.z() + 2; k++) {
            for (int j = 0; j < part.y() + 2; j++) {
                System.arraycopy(u[whole].row(y + j, z + k), x, part.row(j, k), 0, part.x() + 2);
            }
        }
    }
}

/// The points with the greatest and the smallest of as many random numbers as the grid has points. They get a charge.
class Extremes {
    final Multigrid grids;
    final int size;
    final long[] values = new long[2 * CHARGES]; // the greatest ones, then those for the smallest, all in order
    final long[] points = new long[2 * CHARGES];

    Extremes(Multigrid grids, int size) {
        this.grids = grids;
        this.size = size;
        Arrays.fill(values, Long.MIN_VALUE);
    }

    void place() {
        Cube v = grids.v;
        int[] place = grids.halos.place;
        int x = place[0] * v.x(), y = place[1] * v.y(), z = place[2] * v.z();
        for (int k = 0; k < v.z(); k++) {
            for (int j = 0; j < v.y(); j++) search(((long) (z + k) * size + y + j) * size + x, v.x());
        }
        long[] allValues = new long[values.length * grids.world.size()], allPoints = allValues.clone();
        grids.world.team().allGather(allValues, values);
        grids.world.team().allGather(allPoints, points);
        Arrays.fill(values, Long.MIN_VALUE);
        for (int i = 0; i < allValues.length; i++) {
            consider(i % (2 * CHARGES) / CHARGES * CHARGES, allValues[i], allPoints[i]);
        }
        for (int i = 0; i < 2 * CHARGES; i++) {
            int i1 = (int) (points[i] % size) - x, i2 = (int) (points[i] / size % size) - y;
            int i3 = (int) (points[i] / size / size) - z;
            if (i1 < 0 || i1 >= v.x() || i2 < 0 || i2 >= v.y() || i3 < 0 || i3 >= v.z()) continue;
            v.row(i2 + 1, i3 + 1)[i1 + 1] = i < CHARGES ? 1 : -1;
        }
    }

    /// Makes the numbers of a row.
    void search(long first, int length) {
        long number = Npb.skip(SEED, first);
        for (int i = 0; i < length; i++) {
            number = Npb.next(number);
            if (number > values[CHARGES - 1]) consider(0, number, first + i);
            if (-number > values[2 * CHARGES - 1]) consider(CHARGES, -number, first + i);
        }
    }

    /// Inserts a value if it is among the greatest of those from `begin`.
    void consider(int begin, long value, long point) {
        int at = begin + CHARGES - 1;
        if (value <= values[at]) return;
        for (; at > begin && values[at - 1] < value; at--) {
            values[at] = values[at - 1];
            points[at] = points[at - 1];
        }
        values[at] = value;
        points[at] = point;
    }
}
