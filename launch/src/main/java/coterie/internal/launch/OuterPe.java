// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.world.JobEnvironment;
import coterie.internal.world.LaunchedPe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The PE whose program has started this launcher. The launcher's job ends when this PE ends.
///
/// A parent-death signal does not serve here: the kernel sends it when the thread that started the launcher ends,
/// which may be long before the PE ends, and a shell may be between the PE and the launcher.
///
/// @param pe its number in its job
/// @param process its process
record OuterPe(int pe, ProcessHandle process) {
    /// The time between two checks: short beside the grace of a job, and long beside the cost of a check.
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Returns the PE that the environment of this process describes, or null if it describes none.
    ///
    /// @param job the name of the job that is about to start, for messages
    /// @throws CoterieException if the PE has ended
    static @Nullable OuterPe find(String job) {
        LaunchedPe outer = JobEnvironment.read(System.getenv());
        if (outer == null) {
            return null;
        }
        long pid = Files.exists(outer.segment())
                ? JobSegment.attach(outer.segment()).status(outer.pe()).get(StatusField.PID)
                : 0;
        OuterPe found = ProcessHandle.of(pid)
                .map(process -> new OuterPe(outer.pe(), process))
                .orElse(null);
        if (found == null || !found.isAlive()) {
            throw new CoterieException("starting job " + job + ": the launcher runs in PE " + outer.pe()
                    + " of the job at " + outer.segment() + ", which has ended; to start a job of its own, unset "
                    + JobEnvironment.COTERIE_SEGMENT);
        }
        return found;
    }

    /// Returns whether the PE still runs. A process that has ended keeps its id and its start time until its parent
    /// collects its exit code, but not its program.
    boolean isAlive() {
        return process.isAlive() && Files.exists(Path.of("/proc/" + process.pid() + "/exe"));
    }

    /// Stops a job of this launcher when the outer PE ends.
    static final class Watch extends Thread {
        private final OuterPe watched;
        private final Job job;

        Watch(OuterPe watched, Job job) {
            super(null, null, "end of outer PE ".concat(Integer.toString(watched.pe)), LinePump.STACK_BYTES);
            setDaemon(true);
            this.watched = watched;
            this.job = job;
        }

        @Override
        public void run() {
            try {
                while (!job.awaitEnds(CHECK_NANOS)) {
                    if (!watched.isAlive()) {
                        job.outerEnded(watched);
                        return;
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError("the launcher never interrupts this thread", e);
            }
        }
    }
}
