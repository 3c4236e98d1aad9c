// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Whether this JVM's compilers are at work: as long as they are, what is measured runs in code that they are
/// about to replace, and where PEs share processors it waits for them.
///
/// They are known by their threads' names, and their work by the processor time that these have had, to a
/// hundredth of a second. Where the system tells nothing of the kind they are taken to be at rest.
final class JitMonitor {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String MARK = "Compiler"; // such as "C2 CompilerThre", which the kernel has cut

    /// Fields of a thread's `stat` after its name, which may have blanks.
    private static final int USER_TIME = 11;

    private static final int SYSTEM_TIME = 12;

    private long before;

    JitMonitor() {
        before = ticks();
    }

    /// Whether they have worked since the latest call.
    boolean haveWorked() {
        long now = ticks();
        boolean worked = now != before; // fewer, where a thread has ended
        before = now;
        return worked;
    }

    private static long ticks() {
        long ticks = 0;
        for (Path thread : threads()) {
            ticks += ticks(thread);
        }
        return ticks;
    }

    private static List<Path> threads() {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            threads.forEach(all::add);
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // not Linux
        }
        return all;
    }

    private static long ticks(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            int end = stat.lastIndexOf(')');
            if (!stat.substring(0, end).contains(MARK)) {
                return 0;
            }
            String[] fields = stat.substring(end + 2).split(" ", -1);
            return Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]);
        } catch (IOException e) {
            return 0; // it has ended
        }
    }
}
