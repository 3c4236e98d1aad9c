// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.internal.posix.Libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/// The processors that this process may use, and the calling thread's place on one of them, in both modes of PEs.
final class Processors {
    private static final String KEY = "Cpus_allowed_list:";

    private Processors() {}

    /// What `sched_getaffinity` says of the process's first thread, which no PE runs in.
    static BitSet usable() {
        try {
            String list = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(KEY))
                    .map(line -> line.substring(KEY.length()).strip())
                    .findFirst()
                    .orElseThrow();
            BitSet usable = new BitSet();
            for (String range : list.split(",", -1)) {
                String[] ends = range.split("-", -1);
                usable.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
            }
            return usable;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs something on the n-th usable processor, in `[0, usable().cardinality())`, and nowhere else.
    static void on(int n, Runnable body) {
        BitSet usable = usable();
        BitSet one = new BitSet();
        one.set(usable.stream().skip(n).findFirst().orElseThrow());
        Libc.bind(one);
        try {
            body.run();
        } finally {
            Libc.bind(usable);
        }
    }
}
