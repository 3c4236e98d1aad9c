// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.sim.RaceException;
import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// Makes the report of a race.
final class RaceReport {
    private RaceReport() {}

    /// @param later the current access
    /// @param earlier the access that this run executed before
    /// @param from offset of the first bytes that both touch
    static RaceException of(Access later, Access earlier, long from) {
        ByteInterval both = later.interval.common(earlier.kind.isShared() ? later.interval : earlier.interval, from);
        return new RaceException(later.kind.label() + " on PE " + later.pe + ": races with "
                + earlier.kind.labelWithArticle() + " by PE " + earlier.pe + " on " + bytes(both)
                + " of the heap of PE "
                + both.pe()
                + line(later, "") + line(earlier, first(earlier))
                + "\n  no signal, fence, quiet, barrier or collective orders them; remedy: "
                + remedy(later, earlier));
    }

    private static String line(Access access, String which) {
        return "\n  " + access.kind.label() + " by PE " + access.pe + " of " + bytes(access.interval) + which + ": "
                + location(access.callSite);
    }

    /// Says which of the accesses that share a note the report has.
    private static String first(Access noted) {
        return switch (noted.kind) {
            case READ -> ", the first of its own heap since its latest put, signal or atomic";
            case WRITE -> ", the first of its own heap since its latest put, signal, atomic or wait";
            default -> "";
        };
    }

    private static String bytes(ByteInterval interval) {
        return interval.length() + (interval.length() == 1 ? " byte" : " bytes") + " at offset " + interval.offset();
    }

    private static String location(@Nullable StackFrame callSite) {
        return callSite == null
                ? "at an unknown place"
                : "at " + callSite.getClassName() + "." + callSite.getMethodName() + "(" + callSite.getFileName() + ":"
                        + callSite.getLineNumber() + ")";
    }

    /// Says what orders the accesses. An operation that may still be under way when its call has returned is
    /// complete after quiet, or a barrier: a signal to another PE, or a collective such as sync, completes
    /// none.
    private static String remedy(Access later, Access earlier) {
        if (later.pe == earlier.pe) {
            boolean bothPut = later.kind.isPut() && earlier.kind.isPut();
            return bothPut
                    ? "call quiet on the context of the first between them; fence suffices if both use one context"
                    : "call quiet on the context of the operation between them";
        }
        if (earlier.kind.isShared()) {
            String done = earlier.kind == AccessKind.READ ? "read" : "written";
            // The program may have issued a put before the other access, which sync would not complete.
            return "let PE " + earlier.pe + " signal that it has " + done + ", and PE " + later.pe
                    + " wait for the signal; or call a "
                    + (later.kind.isPut() ? "barrier" : "collective such as sync")
                    + " between them";
        }
        boolean reachesItsReader =
                earlier.kind.isPut() && earlier.interval.pe() != earlier.pe && later.pe == earlier.interval.pe();
        if (reachesItsReader) {
            return "put with a signal, or put, fence and signal, and let PE " + later.pe + " wait for the signal; or"
                    + " call a barrier between them";
        }
        boolean ownPut = earlier.kind.isPut() && earlier.interval.pe() == earlier.pe;
        return "let PE " + earlier.pe + " call quiet and then signal PE " + later.pe + ", which waits for the signal;"
                + " or call a barrier between them"
                + (ownPut ? "; or let PE " + earlier.pe + " store by set instead of put, and then call sync" : "");
    }
}
