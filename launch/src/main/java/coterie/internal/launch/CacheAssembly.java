// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Makes the start-up cache of a program from what PE 0 of one of its jobs has recorded, see [JobSpec.TrainingFiles].
/// It has
/// the classes of the runtime and of the program, linked, and the profiles of the methods that ran often: a JVM that
/// starts with it compiles these at once, and for the branches that they take.
public final class CacheAssembly {
    /// JVMs with smaller heaps address objects by 32 bits. A cache of one kind is of no use for the other.
    private static final long WIDE_HEAP_BYTES = 32L << 30;

    /// Options with which the JVM accepts a cache that was made without them.
    private static final Pattern HARMLESS =
            Pattern.compile("-D.*|-(ea|da|esa|dsa|enableassertions|disableassertions).*|-Xss.*"
                    + "|-Xm[xsn]([0-9]{1,7}[kK]|[0-9]{1,4}[mM]|[12]?[0-9][gG])");

    private static final int LIMIT_SECONDS = 120;

    /// The exit code of a process is this number and that of the signal that has ended it.
    private static final int FIRST_SIGNAL = 128;

    private CacheAssembly() {}

    /// Returns whether the PEs of a job can use a cache of their program: they are processes of this machine, all that
    /// is on the class path is in jars, and no option asks for another kind of JVM.
    public static boolean fits(JobSpec spec) {
        JobSpec.Program program = spec.program();
        return spec.mode() == PeMode.PROCESSES
                && spec.hosts() == null
                && spec.debugPort() == 0
                && spec.wrapper().isEmpty()
                && program.modulePath().isEmpty()
                && program.wholeClassPath().stream().allMatch(Files::isRegularFile)
                && JavaCommand.javaHeapBytes(spec) < WIDE_HEAP_BYTES
                && spec.jvmOptions().stream()
                        .allMatch(option -> HARMLESS.matcher(option).matches());
    }

    /// Makes a cache. Takes a second or two.
    ///
    /// @param recording of a job that fits
    /// @param cache file to make; it may be there in part if this fails
    /// @return why there is none; empty if it is made
    /// @throws IOException if no JVM starts, or a signal ends it
    public static String assemble(JobSpec spec, Path recording, Path cache) throws IOException {
        Path log = cache.resolveSibling("log");
        JobSpec plain = spec.withoutVectors().withStartupCache(null);
        Process jvm = new ProcessBuilder(new JavaCommand(plain, "UTF-8", false).ofCache(recording, cache))
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!jvm.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                return "the JVM that makes it took longer than " + LIMIT_SECONDS + " s";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } finally {
            jvm.destroyForcibly();
        }
        if (jvm.exitValue() > FIRST_SIGNAL) {
            throw new IOException("signal " + (jvm.exitValue() - FIRST_SIGNAL) + " has ended the JVM that makes it");
        }
        return jvm.exitValue() == 0 && Files.exists(cache)
                ? ""
                : "the JVM that makes it ended with exit code " + jvm.exitValue() + ": "
                        + Files.readString(log, StandardCharsets.UTF_8).strip();
    }
}
