// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What small programs do first, done once in front of the JVM that writes the start-up cache of PEs: what it has
/// seen here, above all the code that it makes at run time for lambdas and texts, it need not make again in each
/// PE. Takes some 30 ms off the start of a program that prints a line.
final class CacheTraining {
    private CacheTraining() {}

    /// Tests the runtime first, as other programs would use it.
    ///
    /// @param args none
    public static void main(String[] args) throws IOException {
        SelfTest.main(args);
        texts(3, 4L, 5.0, "six");
        collections();
        classPath();
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

    /// Class paths of programs have jars; the JVM that makes the cache has an empty one.
    private static void classPath() throws IOException {
        URI jar = CacheTraining.class
                .getModule()
                .getLayer()
                .configuration()
                .findModule(CacheTraining.class.getModule().getName())
                .map(ResolvedModule::reference)
                .flatMap(reference -> reference.location())
                .orElseThrow();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toURL()}, null);
                InputStream in = loader.getResourceAsStream("module-info.class")) {
            IO.println(in != null && in.read() >= 0);
        }
    }

    /// The launcher looks for `main(String[])` first, which a class with `void main()` lacks.
    private static void missingMethod() {
        try {
            IO.println(CacheTraining.class.getMethod("absent", String[].class));
        } catch (NoSuchMethodException e) {
            IO.println(e.getMessage());
        }
    }
}
