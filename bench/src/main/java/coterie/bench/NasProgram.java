// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.World;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A NAS Parallel Benchmark: a program of `examples/npb`, as it is. The jar of this module has these programs in a
/// folder that is no package, because no module has classes without one. Each run loads its program anew.
///
/// @param name of its class, such as CG
record NasProgram(String name) {
    /// The problem classes, the smallest first.
    static final List<String> CLASSES = List.of("S", "W", "A", "B");

    private static final String FOLDER = "/META-INF/npb/";

    /// What a verified run has reported.
    ///
    /// @param mops millions of operations per second, on all PEs, by the count of the benchmark
    /// @param seconds of the part that the benchmark times
    record Result(double mops, double seconds) {
        private static final Pattern MOPS = row("Mop/s total");
        private static final Pattern SECONDS = row("Time in seconds");

        /// @param printed in the form of the NAS Parallel Benchmarks
        /// @throws IllegalArgumentException if a figure is missing
        static Result of(String printed) {
            return new Result(number(MOPS, printed), number(SECONDS, printed));
        }

        private static Pattern row(String head) {
            return Pattern.compile("(?m)^ " + head + " *= +([0-9.]+)$");
        }

        private static double number(Pattern row, String printed) {
            Matcher matcher = row.matcher(printed);
            if (!matcher.find()) {
                throw new IllegalArgumentException("no row " + row + " in " + printed);
            }
            return Double.parseDouble(matcher.group(1));
        }
    }

    /// Runs the program on all PEs; **collective**. What it allocates stays until the job ends.
    ///
    /// @return what it has printed; empty on PEs other than PE 0, which print nothing
    /// @throws IllegalStateException if its results are not verified; it names program and class, and PE 0 has
    ///     printed the results on stderr
    String run(World world, String problemClass) {
        world.team().barrier();
        if (world.pe() != 0) {
            call(problemClass);
            return "";
        }
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        boolean isDone = false;
        try {
            call(problemClass);
            isDone = true;
        } finally {
            System.setOut(out);
            if (!isDone) {
                System.err.print(printed.toString(StandardCharsets.UTF_8));
            }
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void call(String problemClass) {
        URL folder = Objects.requireNonNull(NasProgram.class.getResource(FOLDER), FOLDER);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder}, NasProgram.class.getClassLoader())) {
            Class<?> program = Class.forName(name, true, loader);
            Constructor<?> constructor = program.getDeclaredConstructor();
            Method main = program.getDeclaredMethod("main", String[].class);
            constructor.setAccessible(true);
            main.setAccessible(true);
            main.invoke(constructor.newInstance(), (Object) new String[] {problemClass});
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(name + " class " + problemClass + " has failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is no program in " + folder, e);
        } catch (IOException e) {
            throw new UncheckedIOException("closing the loader of " + name, e);
        }
    }
}
