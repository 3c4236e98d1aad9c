// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import java.util.ArrayList;
import java.util.List;

/// What may act although all threads of a PE wait, so that a diagnosis must not call the job dead: code of the program,
/// and operations that still travel. A status page has a bit for each.
public enum OwnCode {
    /// A progress hook may read a clock, a file or a socket.
    HOOK("a progress hook of the program"),
    /// So may a condition.
    CONDITION("a condition of postWhen"),
    /// It fails then, and the program goes on.
    DEADLINE("a request with a timeout"),
    /// No program can list them, or say what they wait for.
    VIRTUAL_THREADS("virtual threads, which have run in the JVM"),
    /// They end waits where they arrive.
    OPERATIONS("operations under way over the network");

    private final String description;

    OwnCode(String description) {
        this.description = description;
    }

    long bit() {
        return 1L << ordinal();
    }

    /// Returns what the bits of a status page stand for, for people.
    public static List<String> descriptions(long bits) {
        List<String> found = new ArrayList<>();
        for (OwnCode each : values()) {
            if ((bits & each.bit()) != 0) {
                found.add(each.description);
            }
        }
        return found;
    }
}
