// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.cuda.*;
import coterie.stream.Extent;
import java.util.Arrays;
import java.util.Locale;

static final int THREADS = 256;
static final int REPETITIONS = 7;
static final long[] LATENCY_BYTES = {8, 1024, 8192, 65_536};
static final long[] BANDWIDTH_BYTES = {65_536, 1 << 20, 16 << 20, 256 << 20}; // the last is larger than the L2
static final Amount MEASURE = new Amount(10_000, 20_000, 256 << 20);
static final Amount TRY = new Amount(20, 1, 65_536);

/// How much is done: messages and puts of a launch, and the bytes of the largest put.
record Amount(int messages, int mostPuts, long mostBytes) {
    /// Returns so many puts that a launch takes some 20 ms: the time of the launch itself is in the measure, too.
    int puts(long bytes) {
        return (int) Math.clamp((50L << 30) / bytes, 1, mostPuts);
    }
}

/// What communication from a kernel costs: puts with a signal, ns each way, and puts, GB/s; medians of seven launches
/// by the device's clock. Rows are those of `coterie perf --csv`, for `coterie compare`.
///
/// `coterie run -n 1 bench/programs/gpu/KernelCosts.java` has a PE send itself; `-n 2 --pes threads` two PEs of one
/// device send each other. Processes share a device by time slices, unless NVIDIA's MPS runs. The arguments are the
/// file of the kernels, and `try`, with which all is done so few times that the times mean nothing.
void main(String[] args) throws IOException {
    World world = World.join();
    Path kernels = Path.of(args.length > 0 ? args[0] : "bench/programs/gpu/costs.cu");
    Amount amount = args.length > 1 && args[1].equals("try") ? TRY : MEASURE;
    if (world.size() > 2) throw new IllegalArgumentException("one or two PEs, not " + world.size());
    try (Cuda cuda = Cuda.open(world);
            DeviceMemory memory = cuda.allocate(world.team(), 128 + 2 * amount.mostBytes());
            DeviceTeam team = DeviceTeam.create(cuda, world.team(), memory);
            CudaModule module = cuda.compile("costs.cu", Files.readString(kernels));
            CudaStream stream = cuda.createStream("costs")) {
        CudaKernel pingpong = module.kernel("pingpong"), puts = module.kernel("stream");
        stream.fill(memory, 0, 128, (byte) 0);
        // Alone and without rounds: at the first launch of a kernel the driver may wait for running ones.
        stream.launch(pingpong, Extent.of(1), Extent.of(THREADS), 0, team.address(), 8L, 1, 0);
        stream.launch(puts, Extent.of(1), Extent.of(THREADS), 0, team.address(), 8192L, 0);
        stream.synchronize();
        world.team().barrier();
        if (world.pe() == 0) IO.println("system,op,np,bytes,metric,unit,value");
        int first = 1;
        for (long bytes : LATENCY_BYTES) {
            double[] nanos = new double[REPETITIONS];
            for (int repetition = -1; repetition < REPETITIONS; repetition++) { // the first warms up
                int from = first;
                double millis = timed(world, cuda, stream, () -> stream.launch(
                        pingpong, Extent.of(1), Extent.of(THREADS), 0,
                        team.address(), bytes, from, amount.messages()));
                team.check();
                first += amount.messages();
                nanos[Math.max(0, repetition)] = millis * 1e6 / amount.messages() / world.size();
            }
            print(world, "kernel_put_signal", bytes, "lat_med,ns", median(nanos));
        }
        for (long bytes : BANDWIDTH_BYTES) {
            if (bytes > amount.mostBytes()) break;
            int blocks = (int) Math.min(cuda.device().multiprocessors(), bytes / 8192);
            double[] rates = new double[REPETITIONS];
            for (int repetition = -1; repetition < REPETITIONS; repetition++) {
                double millis = timed(world, cuda, stream, () -> stream.launch(
                        puts, Extent.of(blocks), Extent.of(THREADS), 0,
                        team.address(), bytes, amount.puts(bytes)));
                team.check();
                double put = (double) (bytes / blocks / 128 * 128 * blocks) * amount.puts(bytes);
                rates[Math.max(0, repetition)] = put / millis / 1e6;
            }
            print(world, "kernel_put_bw", bytes, "bw_med,GB/s", median(rates));
        }
        world.team().barrier();
    }
}

/// Returns the milliseconds that the device takes for what is enqueued.
double timed(World world, Cuda cuda, CudaStream stream, Runnable enqueue) {
    try (CudaEvent start = cuda.createEvent();
            CudaEvent end = cuda.createEvent()) {
        world.team().barrier();
        stream.record(start);
        enqueue.run();
        stream.record(end);
        stream.synchronize();
        return end.elapsedMillisSince(start);
    }
}

void print(World world, String operation, long bytes, String metric, double value) {
    if (world.pe() == 0) {
        IO.println(String.format(
                Locale.ROOT, "ours,%s,%d,%d,%s,%.2f", operation, world.size(), bytes, metric, value));
    }
}

double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
}
