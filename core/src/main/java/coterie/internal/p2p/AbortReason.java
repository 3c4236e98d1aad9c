// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.TeamRevokedException;
import coterie.WaitTimeoutException;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;

/// Why a port is dead, in words that can be told.
///
/// @param pe the PE that aborted first
/// @param tag its run
/// @param otherPe whom it blames, or −1
/// @param otherTag that one's run, where that is known
/// @param signature of its run
/// @param otherSignature of that one's, where that is known
/// @param text what else there is to say, or empty; of [#TEXT_BYTES] at most
record AbortReason(
        Kind reason, int pe, long tag, int otherPe, long otherTag, long signature, long otherSignature, String text) {
    enum Kind {
        /// a PE has failed
        FAILED,
        /// a deadline has come
        LATE,
        /// members have called different things
        MISMATCH,
        /// a member has come to a close of the team without having posted
        LEFT,
        /// anything else
        OTHER,
        /// a PE has closed the team's world
        CLOSED,
        /// a member could not prepare a run
        UNPREPARED,
        /// a member has revoked the team
        REVOKED,
        /// a member has no memory for requests
        NO_MEMORY;

        private static final List<Kind> VALUES = List.of(values());
    }

    private static final int TEXT = 6;
    private static final int TEXT_BYTES = 64;

    /// Words of a cause that is told, behind its signal.
    static final int WORDS = TEXT + TEXT_BYTES / Long.BYTES;

    /// What a run that has ended so is a cause of.
    ///
    /// @param pe whose run it is
    static AbortReason of(RuntimeException why, int pe, long tag) {
        if (why instanceof ToldCause its) {
            return new AbortReason(Kind.OTHER, pe, tag, -1, 0, 0, 0, truncated(its.told()));
        }
        for (Throwable each = why; each != null; each = each.getCause()) {
            switch (each) {
                case PeFailedException e -> {
                    List<Integer> failed = e.failedPes();
                    return simple(Kind.FAILED, pe, tag, failed.isEmpty() ? -1 : failed.getFirst());
                }
                case TeamRevokedException e -> {
                    return revoked(e.revoker());
                }
                case WaitTimeoutException _ -> {
                    return simple(Kind.LATE, pe, tag, -1);
                }
                case CollectiveMismatchException _ -> {
                    return simple(Kind.MISMATCH, pe, tag, -1);
                }
                default -> {}
            }
        }
        return new AbortReason(
                Kind.OTHER, pe, tag, -1, 0, 0, 0, truncated(why.getClass().getSimpleName() + ": " + why.getMessage()));
    }

    /// That members have come for different things, or for the same in another way.
    static AbortReason mismatch(int pe, long tag, long signature, int otherPe, long otherTag, long otherSignature) {
        return new AbortReason(Kind.MISMATCH, pe, tag, otherPe, otherTag, signature, otherSignature, "");
    }

    /// That members have come for the same, and one sends more than the other takes.
    ///
    /// @param text what they do
    static AbortReason lengths(int pe, long tag, int otherPe, String text) {
        return new AbortReason(Kind.MISMATCH, pe, tag, otherPe, tag, 0, 0, truncated(text));
    }

    /// That a member comes to a close of the team, and this one waits for it.
    static AbortReason left(int pe, long tag, int otherPe) {
        return simple(Kind.LEFT, pe, tag, otherPe);
    }

    /// That this PE can't prepare its part of a run, which the others may have posted.
    static AbortReason unprepared(int pe, OperationKind kind, String why) {
        return new AbortReason(Kind.UNPREPARED, pe, RunTag.of(0, kind), -1, 0, 0, 0, truncated(why));
    }

    /// That this PE closes the world.
    static AbortReason closed(int pe) {
        return simple(Kind.CLOSED, pe, 0, -1);
    }

    /// That a PE has no memory for the team's requests.
    static AbortReason noMemory(int pe) {
        return simple(Kind.NO_MEMORY, pe, 0, -1);
    }

    /// That a PE revokes the team.
    static AbortReason revoked(int pe) {
        return simple(Kind.REVOKED, pe, 0, -1);
    }

    private static AbortReason simple(Kind reason, int pe, long tag, int otherPe) {
        return new AbortReason(reason, pe, tag, otherPe, 0, 0, 0, "");
    }

    /// The cause that was told in these words.
    static AbortReason received(long signal, IntToLongFunction words) {
        byte[] text = new byte[TEXT_BYTES];
        for (int each = 0; each < TEXT_BYTES; each++) {
            text[each] = (byte) (words.applyAsLong(TEXT + each / Long.BYTES) >>> (Byte.SIZE * (each % Long.BYTES)));
        }
        return new AbortReason(
                Kind.VALUES.get((int) signal - 1),
                (int) words.applyAsLong(0),
                words.applyAsLong(1),
                (int) words.applyAsLong(2),
                words.applyAsLong(3),
                words.applyAsLong(4),
                words.applyAsLong(5),
                new String(text, StandardCharsets.UTF_8).replace("\0", ""));
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
            case 3 -> otherTag;
            case 4 -> signature;
            case 5 -> otherSignature;
            default -> word(text.getBytes(StandardCharsets.UTF_8), (word - TEXT) * Long.BYTES);
        };
    }

    private static long word(byte[] bytes, int from) {
        long word = 0;
        for (int each = 0; each < Long.BYTES && from + each < bytes.length; each++) {
            word |= (bytes[from + each] & 0xFFL) << (Byte.SIZE * each);
        }
        return word;
    }

    private static String truncated(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int end = bytes.length;
        if (end > TEXT_BYTES) {
            end = TEXT_BYTES - 3;
            while (end > 0 && (bytes[end] & 0xC0) == 0x80) { // in the midst of a character
                end--;
            }
        }
        String start = new String(Arrays.copyOf(bytes, end), StandardCharsets.UTF_8);
        return end < bytes.length ? start + "…" : start;
    }

    /// What a run ends with for it.
    ///
    /// @param operation the run, for its message
    /// @param detail see [#detail]
    RuntimeException exception(String operation, String detail, MemberAddresses memberAddresses, WaitingRoom room) {
        String prefix = memberAddresses.messagePrefix(operation);
        return switch (reason) {
            case FAILED -> failed(prefix, memberAddresses, room);
            case LATE -> new WaitTimeoutException(prefix + "PE " + pe + " timed out in " + RunTag.text(tag));
            case MISMATCH -> new CollectiveMismatchException(prefix + mismatch() + detail);
            case LEFT ->
                new CollectiveMismatchException(prefix + "PE " + pe + " is waiting in " + RunTag.text(tag) + " for PE "
                        + otherPe + ", which is closing the team without having posted it");
            case UNPREPARED ->
                new CoterieException(prefix + "PE " + pe + " could not prepare "
                        + RunTag.kind(tag).label() + ": " + text);
            case CLOSED ->
                new CoterieException(prefix + "PE " + pe + " closed the world before the operation was complete");
            case REVOKED -> new TeamRevokedException(prefix + "PE " + pe + " has revoked the team", pe);
            case NO_MEMORY ->
                new CoterieException(prefix + "PE " + pe
                        + " has no memory left for the requests of this team; enlarge the" + " setting team.sync.kib");
            case OTHER ->
                new CoterieException(
                        prefix + "PE " + pe + " aborted in " + RunTag.text(tag) + (text.isEmpty() ? "" : ": " + text));
        };
    }

    private PeFailedException failed(String prefix, MemberAddresses memberAddresses, WaitingRoom room) {
        StringBuilder words = new StringBuilder();
        List<Integer> failed = new ArrayList<>();
        for (int member = 0; member < memberAddresses.size(); member++) {
            int each = memberAddresses.pe(member);
            if (each == otherPe || room.hasFailed(each)) {
                failed.add(each);
                words.append(words.isEmpty() ? "PE " : "; PE ").append(each).append(' ');
                words.append(room.hasTerminated(each) ? room.terminationCause(each) : "has failed");
            }
        }
        failed.sort(null);
        words.append(" (detected by PE ").append(pe).append(" in ").append(RunTag.text(tag));
        return new PeFailedException(prefix + words.append(')'), failed);
    }

    /// What members differ in, for people, or empty.
    ///
    /// @param argumentSignature of a run of mine, which may be the one that it is about
    String detail(ArgumentSignature argumentSignature) {
        if (reason != Kind.MISMATCH || otherPe < 0 || tag != otherTag) {
            return "";
        }
        if (!text.isEmpty()) {
            return ": " + text;
        }
        return signature == otherSignature
                ? ": PE " + otherPe + " expects further messages"
                : ": " + argumentSignature.difference(pe, signature, otherPe, otherSignature);
    }

    private String mismatch() {
        if (otherPe < 0) {
            return "members made different calls, which PE " + pe + " detected in " + RunTag.text(tag);
        }
        return tag == otherTag
                ? "PE " + pe + " and PE " + otherPe + " call " + RunTag.text(tag) + " with different arguments"
                : "members call different collectives: PE " + pe + " " + RunTag.text(tag) + ", PE " + otherPe + " "
                        + RunTag.text(otherTag);
    }
}
