// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The program that the JVM runs while it records the start-up cache of PEs: it does what small programs do
/// first. The JVM stores in the cache what it generates meanwhile, above all the classes for lambdas and for
/// string concatenation, so that the JVM of each PE does not generate them again. The cache shortens the start
/// of a program that prints one line by some 30 ms.
final class CacheTraining {
    private CacheTraining() {}

    /// Runs the self-test first, which uses the runtime as other programs do.
    ///
    /// @param args none
    public static void main(String[] args) {
        SelfTest.main(args);
        texts(3, 4L, 5.0, "six");
        collections();
        missingMethod();
    }

    private record Point(int x, double y) {}

    private static void texts(int i, long l, double d, String s) {
        IO.println("text " + i);
        IO.println("text " + s);
        IO.println("text " + l);
        IO.println("text " + d);
        IO.println("text " + i + " of " + i);
        IO.println("text " + l + " of " + l);
        IO.println("text " + s + " of " + s);
        IO.println("text " + i + ": " + s);
        IO.println("text " + i + ": " + l);
        IO.println("text " + i + ": " + d);
        IO.println("text " + i + " of " + i + ": " + s);
        IO.println("text " + i + " of " + i + ": " + d);
        IO.println("text " + i + " of " + i + ": " + l);
        IO.println(s + " " + s);
        IO.println(i + " " + i);
        IO.println(i + " " + d);
        IO.println(String.format(Locale.ROOT, "%5d %8.3f %s %08x", i, d, s, l));
        System.out.printf("%d %.6f %s%n", i, d, s);
        System.out.println(new Point(i, d));
        System.out.println(String.join(",", List.of(s, s)));
    }

    private static void collections() {
        List<String> list = new ArrayList<>(List.of("b", "a"));
        list.sort(String::compareTo);
        Map<String, Integer> map = new HashMap<>();
        list.forEach(each -> map.merge(each, 1, Integer::sum));
        IO.println(IntStream.range(0, 10).filter(i -> i % 2 == 0).sum());
        IO.println(list.stream().map(String::toUpperCase).collect(Collectors.joining(" ")) + map);
    }

    /// Looks up a method that is missing, as [MainMethod] does for a class with `void main()`: it looks for
    /// `main(String[])` first.
    private static void missingMethod() {
        try {
            IO.println(CacheTraining.class.getMethod("absent", String[].class));
        } catch (NoSuchMethodException e) {
            IO.println(e.getMessage());
        }
    }
}
