// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Gups: how many words of a big table, each somewhere else, can all PEs together change in a second?
///
/// The table's words are spread over the PEs, and word `i` holds `i` at first. A stream of random numbers says
/// what is changed: a number's first bits choose a word, and the whole number is xor-ed into it. Each PE goes
/// through its own stretch of the stream. Doing everything twice must give the first table again, which is how the
/// result is checked; the benchmark RandomAccess of the HPC Challenge works so, and counts 10^9 updates per
/// second: GUP/s.
///
/// Shows: atomics on anybody's memory that nobody waits for, and what becomes of updates that are no atomics.
/// Run: `coterie run -n 4 Gups.java [--bits B] [--updates PER_WORD] [--atomic 0]`
/// Prints: the rate. Fails if a word is wrong; with `--atomic 0` an update is a get and a put, which may undo what
/// another PE does in between, and the words that are wrong for it are counted.
void main(String[] args) {
    var options = new TreeMap<>(Map.of("--bits", 20, "--updates", 4, "--atomic", 1));
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES Gups.java [OPTION NUMBER]...\nOptions, defaults: %s", options);
        return;
    }
    for (int i = 0; i < args.length; i += 2) {
        if (i + 1 < args.length && options.replace(args[i], Integer.valueOf(args[i + 1])) != null) continue;
        throw new IllegalArgumentException(args[i] + " is no option with a number; see --help");
    }
    int bits = options.get("--bits");
    boolean atomic = options.get("--atomic") != 0;
    if (bits < 1 || bits > 40) throw new IllegalArgumentException("--bits is in [1, 40], not " + bits);

    long words = 1L << bits, updates = words * options.get("--updates");
    long share = (words + world.size() - 1) / world.size(); // words of a PE; the last ones may have fewer
    long first = Math.min(share * world.pe(), words), end = Math.min(first + share, words);
    IntegerView table = world.allocate(share * Long.BYTES).longs();
    for (long word = first; word < end; word++) table.set(word - first, word);
    world.team().barrier();

    long start = System.nanoTime();
    update(world, table, bits, share, updates, atomic);
    double seconds = (System.nanoTime() - start) / 1e9;
    update(world, table, bits, share, updates, true);

    long wrong = 0;
    for (long word = first; word < end; word++) {
        if (table.get(word - first) != word) wrong++;
    }
    wrong = world.team().sum(wrong);
    report(world, "%d updates of %d words on %d PEs in %.3f s: %.4f GUP/s",
            updates, words, world.size(), seconds, updates / seconds / 1e9);
    if (atomic && wrong > 0) throw new IllegalStateException(wrong + " words are wrong");
    report(world, "%d words are wrong, %.4f %%", wrong, 100.0 * wrong / words);
}

/// My stretch of all updates; returns when everybody's are done.
void update(World world, IntegerView table, int bits, long share, long updates, boolean atomic) {
    long from = updates * world.pe() / world.size(), to = updates * (world.pe() + 1) / world.size();
    long random = power(from);
    for (long i = from; i < to; i++) {
        long word = random >>> (Long.SIZE - bits), index = word % share;
        int pe = (int) (word / share);
        if (atomic) {
            table.xor(index, random, pe);
        } else {
            table.put(index, table.get(index, pe) ^ random, pe);
        }
        random = next(random);
    }
    world.team().barrier();
}

/// The random numbers are the powers of x, of which each is the one before times x: polynomials whose coefficients
/// are bits, modulo x^64 + x^2 + x + 1.
long next(long random) {
    return random << 1 ^ (random < 0 ? 0b111 : 0);
}

/// The number `n` of the stream, without those before it: by squaring.
long power(long n) {
    long power = 1;
    for (long square = 0b10; n > 0; n >>= 1) {
        if (n % 2 == 1) power = times(power, square);
        square = times(square, square);
    }
    return power;
}

long times(long a, long b) {
    long product = 0;
    for (; b != 0; b >>>= 1) {
        if ((b & 1) == 1) product ^= a;
        a = next(a);
    }
    return product;
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
