// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int KEYS_END = 1 << 28; // keys are in [0, KEYS_END)

/// IntegerSort: how many random numbers can all PEs together sort in a second?
///
/// Each PE makes keys of its own. The range of keys is cut into as many *buckets* as there are PEs, and PE `b`
/// shall have what is in bucket `b`. A PE puts its keys in the order of their buckets and counts them; an
/// exclusive scan over everybody's counts tells it where in each bucket its keys begin, behind those of the PEs
/// before it. Then it puts them there, and after a barrier each PE sorts its bucket. The work for a PE stays the
/// same when there are more of them: the benchmark ISx works so.
///
/// Shows: alltoall, an exclusive scan as a way to share out memory, puts of many sizes to everybody.
/// Run: `coterie run -n 4 IntegerSort.java [--keys PER_PE] [--rounds R] [--seed S]`
/// Prints: the keys per second of the best round. Fails if a key is lost or changed, outside its PE's range, or
/// not in its place in the order of all.
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
    long all = (long) mine * world.size(), least = world.team().allReduce(Reduction.MIN, sorted.length);
    long most = world.team().allReduce(Reduction.MAX, sorted.length);
    report(world, "%d keys on %d PEs in %.3f s: %.1f million keys/s; a PE has %d to %d of them, all in order",
            all, world.size(), best, all / best / 1e6, least, most);
}

/// My bucket of everybody's keys, in order.
int[] sort(World world, int[] keys) {
    int pes = world.size();
    int[] begins = new int[pes + 1];
    int[] grouped = group(keys, begins);

    try (SymmetricMemory memory = world.allocate(3L * Long.BYTES * pes)) {
        IntegerView table = memory.longs(); // of `pes` each: what I have for whom, what I get from whom, where mine begin
        for (int pe = 0; pe < pes; pe++) table.set(pe, begins[pe + 1] - begins[pe]);
        world.team().allToAll(table, pes, table, 0, 1);
        world.team().exclusiveScan(Reduction.SUM, table, 2L * pes, table, 0, pes);
        long got = 0;
        for (int pe = 0; pe < pes; pe++) got += table.get(pes + pe);

        long most = world.team().allReduce(Reduction.MAX, got);
        try (SymmetricMemory bucket = world.allocate(most * Integer.BYTES)) {
            MemorySegment source = MemorySegment.ofArray(grouped);
            for (int i = 1; i <= pes; i++) {
                int pe = (world.pe() + i) % pes; // not all to PE 0 first
                bucket.ints().put(table.get(2L * pes + pe), source, begins[pe], begins[pe + 1] - begins[pe], pe);
            }
            world.team().barrier();
            int[] sorted = bucket.segment().asSlice(0, got * Integer.BYTES).toArray(ValueLayout.JAVA_INT);
            Arrays.sort(sorted);
            return sorted;
        }
    }
}

/// The keys, bucket after bucket; bucket `b` is `[begins[b], begins[b + 1])`.
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

/// Whether the keys of all PEs are those that there were, each with the PE that it belongs to, and in order
/// throughout.
void check(World world, int[] before, int[] after) {
    Team team = world.team();
    if (team.sum((long) before.length - after.length) != 0) throw new IllegalStateException("keys are lost");
    if (team.sum(mark(before) - mark(after)) != 0) throw new IllegalStateException("keys have changed");

    IntegerView last = world.allocate(Integer.BYTES).ints(), lastBefore = world.allocate(Integer.BYTES).ints();
    last.set(0, after.length == 0 ? Integer.MIN_VALUE : after[after.length - 1]);
    team.exclusiveScan(Reduction.MAX, lastBefore, 0, last, 0, 1);
    long previous = lastBefore.get(0);
    for (int key : after) {
        if (bucket(key, world.size()) != world.pe()) throw new IllegalStateException(key + " is not in my range");
        if (key < previous) throw new IllegalStateException(key + " comes behind " + previous);
        previous = key;
    }
}

/// The same for the same keys in whatever order: their sum, and that of their squares.
long mark(int[] keys) {
    long mark = 0;
    for (int key : keys) mark += (long) key * key + key;
    return mark;
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
