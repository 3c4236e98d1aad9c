// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.cuda.*;
import coterie.stream.Extent;

static final int PART = 1000; // weights of a block of threads

/// Gradient descent by several devices: one kernel computes all steps, and sums the gradients of all PEs itself, by an
/// allreduce that is written in the kernel. Gradients are numbers of 16 bits: their sum is one of 32 bits, which is
/// rounded once, so that it has the same bits as that of one thread.
///
/// An allreduce in a kernel reads and writes the other PEs' memory by loads and stores: the PEs are of one machine, and
/// may share a device.
///
/// Shows: a reduction in a kernel, from the parts of all PEs to the parts of all PEs, between two barriers.
/// Run: `coterie run -n 2 examples/gpu/GradientDescent.java [BLOCKS [STEPS [KERNELS]]]`
/// Prints: `4000 weights, 20 steps on 2 devices: the weights are those of one thread`, fails if they are other ones,
/// and says so if a PE has no device.
void main(String[] args) throws IOException {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) IO.println(USAGE);
        return;
    }
    int blocks = args.length > 0 ? Integer.parseInt(args[0]) : 4;
    int steps = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    Path kernels = Path.of(args.length > 2 ? args[2] : "examples/gpu/allreduce.cu");
    if (blocks < 1 || steps < 1) throw new IllegalArgumentException("BLOCKS and STEPS are at least 1");
    if (world.size() > 32) throw new IllegalArgumentException("the kernel has room for 32 PEs");
    Cuda cuda = open(world);
    if (cuda == null) return;

    int count = blocks * PART;
    long bytes = 8L * count; // a gradient and a sum of 2 bytes, a weight of 4
    SymmetricMemory memory = world.allocate((bytes + 65_535) / 65_536 * 65_536, 65_536); // whole pages
    // a barrier for each block; "fmad" computes a product and a sum in one step, in other bits than Java
    try (cuda;
            RegisteredMemory registered = cuda.register(memory);
            DeviceTeam team = DeviceTeam.create(
                    cuda, world.team(), DeviceTeamOptions.DEFAULT.withBarriers(blocks), registered);
            CudaModule module = cuda.compile("allreduce.cu", Files.readString(kernels), "--fmad=false")) {
        CudaKernel descend = module.kernel("descend"); // before the kernels of other PEs run
        CudaStream stream = cuda.createStream("descend");
        world.team().barrier();
        stream.launchCooperative(
                descend, Extent.of(blocks), Extent.of(256), 0, team.address(), 1, PART, steps);
        stream.synchronize();
        team.check();
    }

    float[] expected = weightsOfOneThread(count, steps, world.size());
    for (int i = 0; i < count; i++) {
        float weight = memory.floats().get(count + i);
        if (weight != expected[i]) {
            throw new IllegalStateException("weight " + i + " is " + weight + ", and not " + expected[i]);
        }
    }
    world.team().barrier();
    if (world.pe() == 0) {
        IO.println("%d weights, %d steps on %d devices: the weights are those of one thread"
                .formatted(count, steps, world.size()));
    }
}

static final String USAGE = "usage: coterie run -n PES GradientDescent.java [BLOCKS [STEPS [KERNELS]]]\n"
        + "BLOCKS of threads (4) on each device compute STEPS steps (20) with the kernel of the file KERNELS.";

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

float[] weightsOfOneThread(int count, int steps, int pes) {
    float[] weights = new float[count];
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < count; i++) {
            float sum = 0;
            for (int pe = 0; pe < pes; pe++) {
                float slope = (weights[i] + 1) * ((i + 3 * pe + 5 * step) % 17 - 8) / 64;
                float rounded = Float.float16ToFloat(Float.floatToFloat16(slope));
                sum = pe == 0 ? rounded : sum + rounded;
            }
            weights[i] = weights[i] - Float.float16ToFloat(Float.floatToFloat16(sum)) / 4;
        }
    }
    return weights;
}
