// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Split3D: two 2-D splits lay the PEs out in three dimensions.
///
/// The first split makes rows, along which x grows, and columns, whose PEs have one x. The second split divides
/// each column in the same manner: y grows along its rows, and z along its columns. Each PE then has three teams,
/// and its member numbers in them are its coordinates.
///
/// Shows: 2-D splits of the world and of a column, and an all-gather of the coordinates.
/// Run: `coterie run -n 4 Split3D.java [XDIM YDIM]`, or `-n 12`
/// Prints: the dimensions, with 12 PEs `xdim = 3, ydim = 2, zdim = 2`, and for each PE a line such as
/// `(1, 0, 0) is mype = 1`. Without arguments the program chooses the dimensions as near to a cube as the divisors
/// of the number of PEs allow. It fails if a PE's coordinates are not those that its number implies.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES Split3D.java [XDIM YDIM]\nLays the PEs out in three dimensions.");
        return;
    }
    int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    int[] dims = numbers.length == 0 ? cube(world.size()) : numbers;
    if (dims.length < 2 || args.length > 2) throw new IllegalArgumentException("the program takes two numbers; see --help");

    Team.Axes first = world.team().split2D(dims[0]);
    Team.Axes second = first.y().split2D(dims[1]);
    Team x = first.x(), y = second.x(), z = second.y();

    IntView mine = world.allocate(3 * Integer.BYTES).ints();
    IntView all = world.allocate(3L * Integer.BYTES * world.size()).ints();
    mine.set(0, x.member());
    mine.set(1, y.member());
    mine.set(2, z.member());
    world.team().allGather(all, 0, mine, 0, 3);

    // if the PEs don't fill a dimension, its length is the number of PEs in it
    int xdim = Math.min(dims[0], world.size()), columns = (world.size() + xdim - 1) / xdim;
    int ydim = Math.min(dims[1], columns), zdim = (columns + ydim - 1) / ydim;
    report(world, "xdim = %d, ydim = %d, zdim = %d", xdim, ydim, zdim);
    for (int pe = 0; pe < world.size(); pe++) {
        long atX = all.get(3L * pe), atY = all.get(3L * pe + 1), atZ = all.get(3L * pe + 2);
        if (atX >= xdim || atY >= ydim || atX + xdim * (atY + ydim * atZ) != pe) {
            throw new IllegalStateException("PE %d cannot be at (%d, %d, %d)".formatted(pe, atX, atY, atZ));
        }
        report(world, "(%d, %d, %d) is mype = %d", atX, atY, atZ, pe);
    }
}

/// Returns the three divisors whose product is `pes` and whose sum is the smallest; the largest divisor is first.
int[] cube(int pes) {
    int[] best = {pes, 1, 1};
    for (int z = 1; z * z * z <= pes; z++) {
        for (int y = z; z * y * y <= pes; y++) {
            int x = pes / (y * z);
            if (x * y * z == pes && x + y + z < best[0] + best[1] + best[2]) best = new int[] {x, y, z};
        }
    }
    return best;
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
