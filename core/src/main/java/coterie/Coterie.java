// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.internal.world.Launcher;
import java.util.Objects;
import java.util.ServiceLoader;

/// Starts a job from a program: from an IDE, a test, another tool. The counterpart on the command line is `coterie
/// run`. The module `coterie.launch`, which is the artifact `coterie-launch`, does the work, and must be on the class
/// path or module path.
public final class Coterie {
    private Coterie() {}

    /// Runs `main` on `pes` processing elements, each a JVM of its own with this JVM's Java, class path, module
    /// path and options, and waits until they end. This program's output gets theirs in whole lines, and PE 0
    /// reads its input.
    ///
    /// The PEs do not get those options of this JVM that two JVMs can't share: debuggers, ports, caches being
    /// written. Any thread may call this method, also a virtual one. An interrupt of the calling thread stops
    /// the job. In a PE this method throws; so let `main` be a class of its own, and start the job from
    /// another:
    ///
    /// ```java
    /// class RingJob {
    ///     public static void main(String[] args) {
    ///         System.exit(Coterie.run(4, Ring.class, args));
    ///     }
    /// }
    /// ```
    ///
    /// @param pes how many, `1 ≤ pes ≤ 1024`
    /// @param main a class with a main method as `java` would start it
    /// @param args its arguments
    /// @return the job's exit code, the one of `coterie run`
    /// @throws IllegalArgumentException if `pes` is out of range
    /// @throws IllegalStateException if a PE of a job calls it
    /// @throws CoterieException if the PEs could not be started, or the module `coterie.launch` is missing
    public static int run(int pes, Class<?> main, String... args) {
        Objects.requireNonNull(main, "Coterie.run: main is null");
        Objects.requireNonNull(args, "Coterie.run: args is null");
        for (int each = 0; each < args.length; each++) {
            int number = each;
            Objects.requireNonNull(args[each], () -> "Coterie.run: args[" + number + "] is null");
        }
        return launcher().run(pes, main, args);
    }

    private static Launcher launcher() {
        return ServiceLoader.load(Launcher.class, Coterie.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new CoterieException(
                        "Coterie.run: module coterie.launch is missing, which starts the PEs; add coterie-launch to the"
                                + " class path or the module path"));
    }
}
