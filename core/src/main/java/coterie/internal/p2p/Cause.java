// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.WaitTimeoutException;
import coterie.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.List;

/// Why a port is dead, in words that can be told.
///
/// @param pe who gave up first
/// @param tag its run
/// @param otherPe whom it blames, or −1
/// @param otherTag that one's run, where that is known
record Cause(Reason reason, int pe, long tag, int otherPe, long otherTag) {
    enum Reason {
        /// a PE has failed
        FAILED,
        /// a deadline has come
        LATE,
        /// members have called different things
        MISMATCH,
        /// anything else
        OTHER,
        /// a PE has closed the team's world
        CLOSED;

        private static final List<Reason> VALUES = List.of(values());
    }

    /// Words of a cause that is told, behind its signal.
    static final int WORDS = 4;

    /// What a run that has ended so is a cause of.
    ///
    /// @param pe whose run it is
    static Cause of(RuntimeException why, int pe, long tag) {
        for (Throwable each = why; each != null; each = each.getCause()) {
            switch (each) {
                case PeFailedException e -> {
                    List<Integer> failed = e.failedPes();
                    return new Cause(Reason.FAILED, pe, tag, failed.isEmpty() ? -1 : failed.getFirst(), 0);
                }
                case WaitTimeoutException _ -> {
                    return new Cause(Reason.LATE, pe, tag, -1, 0);
                }
                case CollectiveMismatchException _ -> {
                    return new Cause(Reason.MISMATCH, pe, tag, -1, 0);
                }
                default -> {}
            }
        }
        return new Cause(Reason.OTHER, pe, tag, -1, 0);
    }

    /// The cause that was told in these words.
    static Cause told(long signal, long pe, long tag, long otherPe, long otherTag) {
        return new Cause(Reason.VALUES.get((int) signal - 1), (int) pe, tag, (int) otherPe, otherTag);
    }

    /// The signal that tells of it, not 0.
    long signal() {
        return 1L + reason.ordinal();
    }

    long word(int word) {
        return switch (word) {
            case 0 -> pe;
            case 1 -> tag;
            case 2 -> otherPe;
            default -> otherTag;
        };
    }

    /// What a run ends with for it.
    ///
    /// @param operation the run, for its message
    /// @param detail more of it, or empty
    RuntimeException exception(String operation, String detail, Members members, WaitingRoom room) {
        String who = members.who(operation);
        return switch (reason) {
            case FAILED -> failed(who, members, room);
            case LATE -> new WaitTimeoutException(who + "PE " + pe + " has waited too long in " + Tag.text(tag));
            case MISMATCH -> new CollectiveMismatchException(who + mismatch() + detail);
            case CLOSED -> new CoterieException(who + "PE " + pe + " has closed the world meanwhile");
            case OTHER -> new CoterieException(who + "PE " + pe + " gave up in " + Tag.text(tag));
        };
    }

    private PeFailedException failed(String who, Members members, WaitingRoom room) {
        StringBuilder text = new StringBuilder();
        List<Integer> failed = new ArrayList<>();
        for (int member = 0; member < members.size(); member++) {
            int each = members.pe(member);
            if (each == otherPe || room.hasFailed(each)) {
                failed.add(each);
                text.append(text.isEmpty() ? "PE " : "; PE ").append(each).append(' ');
                text.append(room.isOver(each) ? room.fate(each) : "has failed");
            }
        }
        failed.sort(null);
        text.append(" (PE ").append(pe).append(" has missed it in ").append(Tag.text(tag));
        return new PeFailedException(who + text.append(')'), failed);
    }

    private String mismatch() {
        if (otherPe < 0) {
            return "members have not called the same, as PE " + pe + " has found in " + Tag.text(tag);
        }
        return tag == otherTag
                ? "PE " + pe + " and PE " + otherPe + " call " + Tag.text(tag) + " with different arguments"
                : "members call different collectives: PE " + pe + " " + Tag.text(tag) + ", PE " + otherPe + " "
                        + Tag.text(otherTag);
    }
}
