// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import java.util.Arrays;
import java.util.Locale;

/// What the Parallel Research Kernels of this folder share: arguments, time, and the report.
///
/// @param name      of the kernel
/// @param arguments their names, in their order
record Prk(World world, String name, String... arguments) {

    /// Answers `--help`, and returns whether that was asked for.
    boolean helps(String[] args) {
        if (args.length == 0 || !args[0].equals("--help")) return false;
        print("usage: coterie run -n PES %s.java [%s]", name, String.join(" ", arguments));
        return true;
    }

    /// Reads the arguments: one positive number for each, or none at all for the defaults.
    int[] numbers(String[] args, int... defaults) {
        if (args.length == 0) return defaults;
        if (args.length != arguments.length) {
            throw new IllegalArgumentException(name + " takes " + String.join(" ", arguments) + ", not "
                    + Arrays.toString(args));
        }
        int[] numbers = new int[args.length];
        for (int i = 0; i < args.length; i++) {
            if (!args[i].matches("0*[1-9]\\d{0,8}")) {
                throw new IllegalArgumentException(
                        name + ": " + arguments[i] + " is a number from 1 to 999999999, not " + args[i]);
            }
            numbers[i] = Integer.parseInt(args[i]);
        }
        return numbers;
    }

    /// Refuses an argument unless it is as the kernel needs it.
    void require(boolean right, String format, Object... values) {
        if (!right) throw new IllegalArgumentException(name + ": " + String.format(Locale.ROOT, format, values));
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

    /// Prints the results in the form of the Parallel Research Kernels; all PEs pass the same.
    ///
    /// @param wrong what is wrong with the solution; empty if nothing is
    /// @param unit  of the rate, such as MB/s
    /// @param rate  units in all iterations, divided by `seconds`
    /// @throws IllegalStateException if the solution is wrong
    void report(String wrong, String unit, double rate, int iterations, double seconds) {
        if (!wrong.isEmpty()) {
            print("ERROR: %s", wrong);
            throw new IllegalStateException(name + ": the solution is wrong: " + wrong);
        }
        print("Solution validates");
        print("Rate (%s): %.6f Avg time (s): %.6f", unit, rate, seconds / iterations);
    }

    /// Prints from PE 0 what runs.
    void begin(String what, int... numbers) {
        print("Coterie %s", what);
        print("Number of PEs = %d", world.size());
        for (int i = 0; i < numbers.length; i++) print("%s = %d", arguments[i], numbers[i]);
    }

    private void print(String format, Object... values) {
        if (world.pe() == 0) IO.println(String.format(Locale.ROOT, format, values));
    }
}
