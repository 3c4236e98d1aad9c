// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.sim.RaceException;
import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// What is said of a race.
final class RaceReport {
    private RaceReport() {}

    /// @param later what is being done
    /// @param earlier what has been done
    /// @param from where the first bytes lie that both touch
    static RaceException of(Access later, Access earlier, long from) {
        ByteInterval both = later.interval.common(earlier.kind.isShared() ? later.interval : earlier.interval, from);
        return new RaceException(later.kind.label() + " on PE " + later.pe + ": races with " + earlier.kind.named()
                + " by PE " + earlier.pe + " on " + bytes(both) + " of the heap of PE " + both.pe()
                + line(later, "") + line(earlier, first(earlier))
                + "\n  nothing orders them: no signal, fence, quiet, barrier or collective"
                + " lies between them; " + cure(later, earlier));
    }

    private static String line(Access access, String which) {
        return "\n  " + access.kind.label() + " by PE " + access.pe + " of " + bytes(access.interval) + which + ": "
                + text(access.place);
    }

    /// Which of the accesses is told that share a note.
    private static String first(Access noted) {
        return noted.kind.isShared() ? ", the first of its own heap since it has last told others anything" : "";
    }

    private static String bytes(ByteInterval interval) {
        return interval.length() + (interval.length() == 1 ? " byte" : " bytes") + " at offset " + interval.offset();
    }

    private static String text(@Nullable StackFrame place) {
        return place == null ? "at an unknown place" : "at " + place.toStackTraceElement();
    }

    private static String cure(Access later, Access earlier) {
        boolean same = later.pe == earlier.pe;
        if (later instanceof WriteAccess && earlier instanceof WriteAccess) {
            return same
                    ? "a fence or quiet of the context would order them"
                    : "let PE " + later.pe + " wait for a signal behind the other's quiet, or for a barrier";
        }
        if (earlier instanceof WriteAccess) {
            return same
                    ? "a quiet of the context would order them"
                    : earlier.pe == earlier.interval.pe()
                            ? "let PE " + earlier.pe + " signal that it has written, or meet in a collective"
                            : "put with a signal, or signal behind a fence, and let PE " + later.pe
                                    + " wait for that; or meet in a barrier";
        }
        return same
                ? "a quiet of the context would order them"
                : "let PE " + earlier.pe + " signal that it has read, or meet in a collective";
    }
}
