// SPDX-License-Identifier: Apache-2.0
package coterie;

/// Starts a job from within a program: from an IDE, a test, another tool.
///
/// The command line's counterpart is `coterie run`.
public final class Coterie {
    private Coterie() {}

    /// Runs `main` on `pes` processing elements, each a JVM of its own with this JVM's Java, class path, module
    /// path and options, and waits for them. Their output comes out whole line by line on this program's own.
    ///
    /// The main class may be this program's own: in a PE, `Coterie.run` throws .
    ///
    /// @param pes how many, `1 ≤ pes`
    /// @param main a class with a main method as `java` would start it
    /// @param args its arguments
    /// @return the job's exit code, as `coterie run` would end with it
    /// @throws IllegalStateException if called by a PE of a job
    /// @throws CoterieException if the PEs could not be started
    public static int run(int pes, Class<?> main, String... args) {
        throw new UnsupportedOperationException();
    }
}
