// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import java.util.Arrays;
import java.util.Locale;

/// What the NAS Parallel Benchmarks of this folder share: the problem class, the random numbers, time, and the report.
///
/// The random numbers are x ← 5^13 · x mod 2^46. A product of two `long`s that wraps has the right lower 64 bits, so
/// the next number costs one multiplication; and since x times 5^13 to the power n is the number after n more, each
/// PE begins at its own part of the sequence.
///
/// @param name  of the benchmark, such as EP
/// @param index of the problem class in [#CLASSES], and of its size in the tables of the benchmark
record Npb(World world, String name, int index) {
    static final String CLASSES = "SWAB";
    static final long FACTOR = 1_220_703_125; // 5^13
    private static final long MASK = (1L << 46) - 1;

    /// Reads the arguments: one problem class, S if there is none.
    static Npb of(World world, String name, String[] args) {
        String letter = args.length == 0 ? "S" : args[0];
        if (args.length > 1) {
            throw new IllegalArgumentException(name + " takes one argument, not " + Arrays.toString(args));
        }
        if (letter.length() != 1 || !CLASSES.contains(letter)) {
            throw new IllegalArgumentException(name + ": the problem class is S, W, A or B, not " + letter);
        }
        return new Npb(world, name, CLASSES.indexOf(letter));
    }

    /// Answers `--help`, and returns whether that was asked for.
    static boolean helps(World world, String name, String[] args) {
        if (args.length == 0 || !args[0].equals("--help")) return false;
        if (world.pe() == 0) IO.println("usage: coterie run -n PES " + name + ".java [S | W | A | B]");
        return true;
    }

    char letter() {
        return CLASSES.charAt(index);
    }

    /// Returns the number after `x`.
    static long next(long x) {
        return x * FACTOR & MASK;
    }

    /// Returns the number `steps` after `x`.
    static long skip(long x, long steps) {
        return x * power(FACTOR, steps) & MASK;
    }

    /// Returns `base` to the power `exponent`, mod 2^46.
    static long power(long base, long exponent) {
        long result = 1;
        for (long square = base; exponent > 0; exponent >>= 1, square *= square) {
            if ((exponent & 1) == 1) result *= square;
        }
        return result & MASK;
    }

    /// Returns the number as a fraction in (0, 1). Bits of a product above those of the number do no harm.
    static double fraction(long x) {
        return (x & MASK) * 0x1p-46;
    }

    /// Waits for all PEs, and returns the time.
    long start() {
        world.team().barrier();
        return System.nanoTime();
    }

    /// Returns the seconds since `start`, on the PE that took the longest.
    double seconds(long start) {
        return world.team().allReduce(Reduction.MAX, (System.nanoTime() - start) / 1e9);
    }

    /// Whether the relative error of `value` is at most `tolerance`; false if it is not a number.
    static boolean near(double value, double expected, double tolerance) {
        return Math.abs((value - expected) / expected) <= tolerance;
    }

    /// Prints from PE 0.
    void print(String format, Object... arguments) {
        if (world.pe() == 0) IO.println(String.format(Locale.ROOT, format, arguments));
    }

    /// Prints the results in the form of the NAS Parallel Benchmarks; all PEs pass the same.
    ///
    /// @param operations that were done, by the count of the benchmark
    /// @throws IllegalStateException if the results are not verified
    void report(String size, int iterations, double seconds, double operations, String type, boolean verified) {
        int pes = world.size();
        double mops = operations / seconds / 1e6;
        print(
                """


                 %s Benchmark Completed.
                 Class           = %24s
                 Size            = %24s
                 Iterations      = %24d
                 Time in seconds = %24.2f
                 Total processes = %24d
                 Mop/s total     = %24.2f
                 Mop/s/process   = %24.2f
                 Operation type  = %24s
                 Verification    = %24s
                """,
                name,
                letter(),
                size,
                iterations,
                seconds,
                pes,
                mops,
                mops / pes,
                type,
                verified ? "SUCCESSFUL" : "UNSUCCESSFUL");
        if (!verified) throw new IllegalStateException(name + " class " + letter() + ": the results are wrong");
    }
}
