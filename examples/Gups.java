// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Gups: how many random words of a large table can all PEs together update in a second?
///
/// The table is distributed over the PEs, and word `i` holds `i` at first. Each PE processes its part of one
/// stream of random numbers: the first bits of a number select a word of the table, and the update xors the whole
/// number into it. To check the result, the PEs apply all updates a second time, which must restore the initial
/// table. The rules are those of RandomAccess in the HPC Challenge benchmark, whose unit is the GUP/s: 10^9
/// updates per second.
///
/// Shows: atomics without a result on the memory of all PEs, and the updates that a program without atomics loses.
/// Run: `coterie run -n 4 Gups.java [--bits B] [--updates PER_WORD] [--atomic 0]`
/// Prints: the rate, and the number of wrong words. The program fails if a word is wrong. With `--atomic 0` an
/// update is a get and a put, which may overwrite another PE's update between the two; the program then counts
/// wrong words only.
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
    long share = (words + world.size() - 1) / world.size(); // words of a PE; the last PEs may have fewer
    long first = Math.min(share * world.pe(), words), end = Math.min(first + share, words);
    LongView table = world.allocate(share * Long.BYTES).longs();
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

/// Applies this PE's part of all updates. Returns when the updates of all PEs are complete.
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

/// Returns the successor of a random number: its product with x. The numbers are the powers of x, as polynomials
/// whose coefficients are bits, modulo x^64 + x^2 + x + 1.
long next(long random) {
    return random << 1 ^ (random < 0 ? 0b111 : 0);
}

/// Returns number `n` of the stream, by repeated squaring.
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
