// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Split3D: the PEs are laid out in three dimensions, by two splits that each divide two.
///
/// The first split cuts the world into rows, along which x grows, and into columns, which hold all PEs of one x. A
/// column is then cut in the same way, into rows along which y grows and columns along which z does. After that
/// each PE has three teams, and its number in them is where it is.
///
/// Shows: 2-D splits, of the world and of what came of it; everybody's numbers brought to all.
/// Run: `coterie run -n 4 Split3D.java [XDIM YDIM]`, or `-n 12`
/// Prints: the dimensions, with 12 PEs `xdim = 3, ydim = 2, zdim = 2`, and for each PE a line such as
/// `(1, 0, 0) is mype = 1`. They come as near to a cube as the divisors of the number of PEs allow. Fails if a PE
/// is not where arithmetic has it.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES Split3D.java [XDIM YDIM]\nLays the PEs out in three dimensions.");
        return;
    }
    int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    int[] dims = numbers.length == 0 ? cube(world.size()) : numbers;
    if (dims.length < 2 || args.length > 2) throw new IllegalArgumentException("two numbers are wanted; see --help");

    Team.Axes first = world.team().split2D(dims[0]);
    Team.Axes second = first.y().split2D(dims[1]);
    Team x = first.x(), y = second.x(), z = second.y();

    IntegerView mine = world.allocate(3 * Integer.BYTES).ints();
    IntegerView all = world.allocate(3L * Integer.BYTES * world.size()).ints();
    mine.set(0, x.member());
    mine.set(1, y.member());
    mine.set(2, z.member());
    world.team().allGather(all, 0, mine, 0, 3);

    // a dimension that the PEs don't fill is as long as there are PEs in it
    int xdim = Math.min(dims[0], world.size()), columns = (world.size() + xdim - 1) / xdim;
    int ydim = Math.min(dims[1], columns), zdim = (columns + ydim - 1) / ydim;
    report(world, "xdim = %d, ydim = %d, zdim = %d", xdim, ydim, zdim);
    for (int pe = 0; pe < world.size(); pe++) {
        long atX = all.get(3L * pe), atY = all.get(3L * pe + 1), atZ = all.get(3L * pe + 2);
        if (atX >= xdim || atY >= ydim || atX + xdim * (atY + ydim * atZ) != pe) {
            throw new IllegalStateException("PE " + pe + " is not at (%d, %d, %d)".formatted(atX, atY, atZ));
        }
        report(world, "(%d, %d, %d) is mype = %d", atX, atY, atZ, pe);
    }
}

/// Three divisors whose product is `pes` and whose sum is the smallest, the largest of them first.
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
