// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int KEYS_END = 1 << 28; // keys are in [0, KEYS_END)

/// IntegerSort: how many random numbers can all PEs together sort in a second?
///
/// Each PE makes random keys. The range of keys is divided into as many *buckets* as the job has PEs, and PE `b`
/// receives the keys of bucket `b`. Each PE groups its keys by bucket and counts them. An exclusive scan over the
/// counts of all PEs gives it its first index in each bucket, after the keys of the PEs with smaller numbers. It
/// then puts its keys there, and after a barrier sorts its own bucket. Each PE has the same amount of work for
/// every number of PEs (weak scaling). The method is that of the benchmark ISx.
///
/// Shows: all-to-all, an exclusive scan that assigns parts of memory, puts of many sizes to all PEs.
/// Run: `coterie run -n 4 IntegerSort.java [--keys PER_PE] [--rounds R] [--seed S]`
/// Prints: the keys per second of the best round. The program fails if a key is lost or changed, outside its PE's
/// range, or out of order.
void main(String[] args) {
    var options = new TreeMap<>(Map.of("--keys", 1 << 20, "--rounds", 5, "--seed", 1));
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES IntegerSort.java [OPTION NUMBER]...\nOptions, defaults: %s", options);
        return;
    }
    for (int i = 0; i < args.length; i += 2) {
        if (i + 1 < args.length && options.replace(args[i], Integer.valueOf(args[i + 1])) != null) continue;
        throw new IllegalArgumentException(args[i] + " is no option with a number; see --help");
    }
    int mine = options.get("--keys"), rounds = options.get("--rounds");
    if (mine < 0 || rounds < 1) throw new IllegalArgumentException("--keys is at least 0, --rounds at least 1");

    long seed = (long) options.get("--seed") << Integer.SIZE | world.pe();
    int[] keys = new SplittableRandom(seed).ints(mine, 0, KEYS_END).toArray();
    double best = Double.POSITIVE_INFINITY;
    int[] sorted = keys;
    for (int round = 0; round < rounds; round++) {
        world.team().barrier();
        long start = System.nanoTime();
        sorted = sort(world, keys);
        world.team().barrier();
        best = Math.min(best, (System.nanoTime() - start) / 1e9);
    }
    check(world, keys, sorted);
    long all = (long) mine * world.size(), fewest = world.team().allReduce(Reduction.MIN, sorted.length);
    long most = world.team().allReduce(Reduction.MAX, sorted.length);
    report(world, "%d keys on %d PEs in %.3f s: %.1f million keys/s; a PE has %d to %d of them, all in order",
            all, world.size(), best, all / best / 1e6, fewest, most);
}

/// Returns this PE's bucket of the keys of all PEs, sorted.
int[] sort(World world, int[] keys) {
    int pes = world.size();
    int[] begins = new int[pes + 1];
    int[] grouped = group(keys, begins);

    long[] sent = new long[pes], received = new long[pes]; // keys to and from each PE
    Arrays.setAll(sent, pe -> begins[pe + 1] - begins[pe]);
    world.team().allToAll(received, sent);
    int[] sorted = new int[(int) LongStream.of(received).sum()];
    long most = world.team().allReduce(Reduction.MAX, sorted.length);
    try (SymmetricMemory memory = world.allocate(2L * Long.BYTES * pes);
            SymmetricMemory bucket = world.allocate(most * Integer.BYTES)) {
        LongView firsts = memory.longs(); // behind what I send: the index of my first key there
        firsts.set(0, sent, 0, pes);
        world.team().exclusiveScan(Reduction.SUM, firsts, pes, firsts, 0, pes);
        for (int i = 1; i <= pes; i++) {
            int pe = (world.pe() + i) % pes; // each PE begins with another target
            bucket.ints().put(firsts.get(pes + pe), grouped, begins[pe], sent[pe], pe);
        }
        world.team().barrier();
        bucket.ints().get(0, sorted, 0, sorted.length);
    }
    Arrays.sort(sorted);
    return sorted;
}

/// Returns the keys grouped by bucket. Bucket `b` is `[begins[b], begins[b + 1])` of the result.
int[] group(int[] keys, int[] begins) {
    int pes = begins.length - 1;
    for (int key : keys) begins[bucket(key, pes) + 1]++;
    Arrays.parallelPrefix(begins, Integer::sum);
    int[] next = begins.clone(), grouped = new int[keys.length];
    for (int key : keys) grouped[next[bucket(key, pes)]++] = key;
    return grouped;
}

int bucket(int key, int pes) {
    return (int) ((long) key * pes / KEYS_END);
}

/// Checks that the PEs still have the keys that they made, each key on the PE of its bucket, and all keys in
/// order.
void check(World world, int[] before, int[] after) {
    Team team = world.team();
    if (team.sum((long) before.length - after.length) != 0) throw new IllegalStateException("keys are lost");
    if (team.sum(checksum(before) - checksum(after)) != 0) throw new IllegalStateException("keys have changed");

    IntView last = world.allocate(Integer.BYTES).ints(), lastBefore = world.allocate(Integer.BYTES).ints();
    last.set(0, after.length == 0 ? Integer.MIN_VALUE : after[after.length - 1]);
    team.exclusiveScan(Reduction.MAX, lastBefore, 0, last, 0, 1);
    long previous = lastBefore.get(0);
    for (int key : after) {
        if (bucket(key, world.size()) != world.pe()) throw new IllegalStateException(key + " is on the wrong PE");
        if (key < previous) throw new IllegalStateException(key + " comes after " + previous);
        previous = key;
    }
}

/// Returns the sum of the keys and their squares, which does not depend on the order of the keys.
long checksum(int[] keys) {
    long sum = 0;
    for (int key : keys) sum += (long) key * key + key;
    return sum;
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
