// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.cuda.*;
import coterie.stream.Extent;

static final double HOT = 100; // degrees of the upper edge; the other three stay at 0
static final int ROWS = 32, WIDTH = 128; // of a band

/// Heat in a plate, as Heat.java has it, on devices: one kernel computes all steps, and its blocks exchange the edge
/// rows of their bands by puts with signals, within a device and between PEs. The host sets the plate up, launches
/// the kernel, and reads the result from the same memory.
///
/// The plate is symmetric memory of the host that the device maps: the simplest memory for a first kernel. PEs of one
/// machine may share a device.
///
/// Shows: registered memory, a team for kernels, a kernel compiled at run time, a cooperative launch, puts with
/// signals in a kernel.
/// Run: `coterie run -n 2 examples/gpu/HaloExchange.java [BLOCKS [STEPS [KERNELS]]]`
/// Prints: `8 bands of 32 rows, 200 steps on 2 devices: the plate is that of one thread`, fails if it is another
/// one, and says so if a PE has no device.
void main(String[] args) throws IOException {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) IO.println(USAGE);
        return;
    }
    int blocks = args.length > 0 ? Integer.parseInt(args[0]) : 4;
    int steps = args.length > 1 ? Integer.parseInt(args[1]) : 200;
    Path kernels = Path.of(args.length > 2 ? args[2] : "examples/gpu/halo.cu");
    if (blocks < 1 || steps < 1) throw new IllegalArgumentException("BLOCKS and STEPS are at least 1");
    Cuda cuda = open(world);
    if (cuda == null) return;

    long bytes = 8L * WIDTH * 2 * blocks * (ROWS + 2) + 32L * blocks;
    SymmetricMemory memory = world.allocate((bytes + 65_535) / 65_536 * 65_536, 65_536); // whole pages
    DoubleView plate = memory.doubles();
    if (world.pe() == 0) { // the upper edge is the upper halo of the first band, in both of its plates
        for (int x = 1; x < WIDTH - 1; x++) {
            plate.set(x, HOT);
            plate.set((ROWS + 2L) * WIDTH + x, HOT);
        }
    }
    // "fmad" computes a product and a sum in one step, in other bits than Java
    try (cuda;
            RegisteredMemory registered = cuda.register(memory);
            DeviceTeam team = DeviceTeam.create(cuda, world.team(), registered);
            CudaModule module = cuda.compile("halo.cu", Files.readString(kernels), "--fmad=false")) {
        CudaKernel halo = module.kernel("halo"); // before the kernels of other PEs run, for which the driver may wait
        CudaStream stream = cuda.createStream("halo");
        world.team().barrier();
        stream.launchCooperative(
                halo, Extent.of(blocks), Extent.of(256), 0, team.address(), 1, ROWS, WIDTH, steps);
        stream.synchronize();
        team.check();
    }

    double[][] expected = plateOfOneThread(world.size() * blocks * ROWS, steps);
    for (int block = 0; block < blocks; block++) {
        for (int row = 0; row < ROWS; row++) {
            long at = (long) WIDTH * ((2 * block + steps % 2) * (ROWS + 2) + row + 1);
            int global = (world.pe() * blocks + block) * ROWS + row;
            for (int x = 0; x < WIDTH; x++) {
                if (plate.get(at + x) != expected[global][x]) {
                    throw new IllegalStateException("point " + x + " of row " + global + " is " + plate.get(at + x)
                            + ", and not " + expected[global][x]);
                }
            }
        }
    }
    world.team().barrier();
    if (world.pe() == 0) {
        IO.println("%d bands of %d rows, %d steps on %d devices: the plate is that of one thread"
                .formatted(blocks * world.size(), ROWS, steps, world.size()));
    }
}

static final String USAGE = "usage: coterie run -n PES HaloExchange.java [BLOCKS [STEPS [KERNELS]]]\n"
        + "BLOCKS of threads (4) on each device compute STEPS steps (200) with the kernel of the file KERNELS.";

/// Returns the device of this PE, or null if a PE has none, after each of these has said why.
Cuda open(World world) {
    Cuda cuda = null;
    try {
        cuda = Cuda.open(world);
    } catch (CoterieException e) {
        IO.println("no device: " + e.getMessage());
    }
    if (world.team().sum(cuda == null ? 1 : 0) == 0) return cuda;
    if (cuda != null) cuda.close();
    return null;
}

double[][] plateOfOneThread(int rows, int steps) {
    double[][][] plates = new double[2][rows + 2][WIDTH];
    for (double[][] each : plates) Arrays.fill(each[0], 1, WIDTH - 1, HOT);
    for (int step = 1; step <= steps; step++) {
        double[][] from = plates[(step - 1) % 2], to = plates[step % 2];
        for (int y = 1; y <= rows; y++) {
            for (int x = 1; x < WIDTH - 1; x++) {
                to[y][x] = (from[y - 1][x] + from[y][x - 1] + from[y][x + 1] + from[y + 1][x]) / 4;
            }
        }
    }
    return Arrays.copyOfRange(plates[steps % 2], 1, rows + 1);
}
