// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.cuda.*;
import coterie.stream.Extent;

static final int EXPERTS = 2, CHOICES = 2, WIDTH = 16; // experts of a PE, experts of a token, numbers of a token
static final int SLOT = WIDTH + 1; // the number of a choice, and a token

/// Mixture of experts, as MixtureOfExperts.java has it, on devices: one kernel for each layer dispatches the tokens,
/// lets the experts compute, and combines the results. It uses GIN's device names, of `coterie_gin.cuh`.
///
/// Shows: windows, strong and weak VA signals, and a barrier in a kernel; several blocks of memory in a team.
/// Run: `coterie run -n 2 examples/gpu/TokenDispatch.java [TOKENS [LAYERS [KERNELS]]]`
/// Prints: `3 layers, 32 tokens on each of 2 devices: the results are those of one thread`, fails if they are others,
/// and says so if a PE has no device.
void main(String[] args) throws IOException {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) IO.println(USAGE);
        return;
    }
    int tokens = args.length > 0 ? Integer.parseInt(args[0]) : 32;
    int layers = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    Path kernels = Path.of(args.length > 2 ? args[2] : "examples/gpu/dispatch.cu");
    if (tokens < 1) throw new IllegalArgumentException("TOKENS is at least 1, not " + tokens);
    Cuda cuda = open(world);
    if (cuda == null) return;

    int places = tokens * CHOICES, parts = EXPERTS * world.size();
    SymmetricMemory slots = pages(world, (2L * places + 2L * parts * tokens) * SLOT * Double.BYTES);
    SymmetricMemory counts = pages(world, (parts + 1L) * Long.BYTES);
    SymmetricMemory chosen = pages(world, (long) places * Integer.BYTES);
    SymmetricMemory seen = pages(world, (long) parts * Long.BYTES);
    double[][] mine = new double[tokens][];
    Arrays.setAll(mine, token -> new SplittableRandom(world.pe() * 7919L + token).doubles(WIDTH).toArray());
    for (int place = 0; place < places; place++) {
        slots.doubles().set((long) place * SLOT, place);
        for (int i = 0; i < WIDTH; i++) slots.doubles().set((long) place * SLOT + 1 + i, mine[place / CHOICES][i]);
    }
    RegisteredMemory[] registered =
            Stream.of(slots, counts, chosen, seen).map(cuda::register).toArray(RegisteredMemory[]::new);
    DeviceTeam team = DeviceTeam.create(cuda, world.team(), registered[0], registered[1]);
    CudaModule module = cuda.compile("dispatch.cu", Files.readString(kernels), "--fmad=false");
    CudaKernel dispatch = module.kernel("dispatch");
    CudaStream stream = cuda.createStream("layers");
    world.team().barrier();
    for (int layer = 0; layer < layers; layer++) {
        for (int place = 0; place < places; place++) {
            int expert = choose(layer, world.pe(), place, parts);
            chosen.ints().set(place, expert);
        }
        stream.launch(dispatch, Extent.of(1), Extent.of(128), 0,
                team.address(), registered[2], registered[3], tokens, layer);
        stream.synchronize();
        team.check();
        for (int token = 0; token < tokens; token++) {
            int first = choose(layer, world.pe(), token * CHOICES, parts);
            int second = choose(layer, world.pe(), token * CHOICES + 1, parts);
            for (int i = 0; i < WIDTH; i++) {
                mine[token][i] = 0.75 * expert(first, mine[token][i]) + 0.25 * expert(second, mine[token][i]);
            }
        }
    }
    for (int place = 0; place < places; place++) {
        for (int i = 0; i < WIDTH; i++) {
            if (slots.doubles().get((long) place * SLOT + 1 + i) != mine[place / CHOICES][i]) {
                throw new IllegalStateException("token " + place / CHOICES + " of PE " + world.pe() + " is wrong");
            }
        }
    }
    world.team().barrier();
    if (world.pe() == 0) {
        IO.println("%d layers, %d tokens on each of %d devices: the results are those of one thread"
                .formatted(layers, tokens, world.size()));
    }
    stream.close();
    module.close();
    team.close();
    for (RegisteredMemory each : registered) each.close();
    for (SymmetricMemory each : List.of(seen, chosen, counts, slots)) each.close();
    cuda.close();
}

static final String USAGE = "usage: coterie run -n PES TokenDispatch.java [TOKENS [LAYERS [KERNELS]]]\n"
        + "Each of TOKENS tokens of a PE (32) visits two experts in each of LAYERS layers (3), by the kernel KERNELS";

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

/// Allocates whole pages, which the driver can register.
SymmetricMemory pages(World world, long bytes) {
    return world.allocate((bytes + 65_535) / 65_536 * 65_536, 65_536);
}

/// Returns the expert of a choice; the two of a token differ.
int choose(int layer, int pe, int place, int experts) {
    int token = place / CHOICES;
    int first = (int) (new SplittableRandom(layer * 1_000_003L + pe * 1009L + token).nextLong() >>> 33) % experts;
    return place % CHOICES == 0 ? first : (first + 1 + token % (experts - 1)) % experts;
}

double expert(int expert, double x) { return x * (1 + expert / 8.0) - 0.25; }
