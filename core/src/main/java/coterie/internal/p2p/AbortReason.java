// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.TeamRevokedException;
import coterie.WaitTimeoutException;
import coterie.internal.wait.PeRuntime;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Why a group of channels is dead, in words that can be told.
///
/// @param pe the PE that aborted first
/// @param tag its run
/// @param otherPe whom it blames, or −1
/// @param otherTag that one's run, where that is known
/// @param more of a mismatch, the arguments of both runs; of other reasons, what else there is to say, as text
record AbortReason(Kind reason, int pe, long tag, int otherPe, long otherTag, MemorySegment more) {
    enum Kind {
        /// a PE has failed
        FAILED,
        /// a deadline has come
        LATE,
        /// members have called different things
        MISMATCH,
        /// members have called the same, and one sends more or less than the other takes
        LENGTHS,
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
        NO_MEMORY
    }

    private static final int MORE = 5;
    private static final int MORE_WORDS = 2 * RunArguments.COUNT;
    private static final int TEXT_BYTES = 64;

    /// Words of a cause that is told, its signal among them.
    static final int WORDS = MORE + MORE_WORDS;

    /// @param text what else there is to say, or empty
    AbortReason(Kind reason, int pe, long tag, int otherPe, String text) {
        this(reason, pe, tag, otherPe, 0, words(text));
    }

    /// What a PE has done or lacks, whichever its run.
    AbortReason(Kind reason, int pe) {
        this(reason, pe, 0, -1, "");
    }

    /// That a member has closed the team, or come to the end of the world, without a run.
    ///
    /// @param tag of the run
    static AbortReason left(MemberAddresses memberAddresses, long tag, int member) {
        return new AbortReason(Kind.LEFT, memberAddresses.myPe(), tag, memberAddresses.pe(member), "");
    }

    /// What a run that has ended so is a cause of.
    ///
    /// @param pe whose run it is
    static AbortReason of(RuntimeException why, int pe, long tag) {
        if (why instanceof ToldCause its) {
            return new AbortReason(Kind.OTHER, pe, tag, -1, its.told());
        }
        for (Throwable each = why; each != null; each = each.getCause()) {
            switch (each) {
                case PeFailedException e -> {
                    List<Integer> failed = e.failedPes();
                    return new AbortReason(Kind.FAILED, pe, tag, failed.isEmpty() ? -1 : failed.getFirst(), "");
                }
                case TeamRevokedException e -> {
                    return new AbortReason(Kind.REVOKED, e.revoker());
                }
                case WaitTimeoutException _ -> {
                    return new AbortReason(Kind.LATE, pe, tag, -1, "");
                }
                case CollectiveMismatchException _ -> {
                    return new AbortReason(Kind.MISMATCH, pe, tag, -1, "");
                }
                default -> {}
            }
        }
        return new AbortReason(Kind.OTHER, pe, tag, -1, why.getClass().getSimpleName() + ": " + why.getMessage());
    }

    /// That members have come for different things, or for the same in another way.
    ///
    /// @param mine arguments of the PE's run
    /// @param others those of the other one's
    static AbortReason mismatch(int pe, long tag, long[] mine, int otherPe, long otherTag, long[] others) {
        long[] both =
                LongStream.concat(Arrays.stream(mine), Arrays.stream(others)).toArray();
        return new AbortReason(Kind.MISMATCH, pe, tag, otherPe, otherTag, MemorySegment.ofArray(both));
    }

    /// The cause that was told in these words, the signal in front.
    static AbortReason received(long[] told) {
        MemorySegment more = MemorySegment.ofArray(Arrays.copyOfRange(told, MORE, WORDS));
        return new AbortReason(Kind.values()[(int) told[0] - 1], (int) told[1], told[2], (int) told[3], told[4], more);
    }

    /// The words that tell of it, with a signal in front, which is not 0.
    long[] words() {
        return LongStream.concat(
                        LongStream.of(1L + reason.ordinal(), pe, tag, otherPe, otherTag),
                        Arrays.stream(more.toArray(JAVA_LONG)))
                .toArray();
    }

    /// What else there is to say, or empty.
    String text() {
        return new String(more.toArray(JAVA_BYTE), StandardCharsets.UTF_8).replace("\0", "");
    }

    /// Returns a text as words; what exceeds 64 bytes is cut.
    private static MemorySegment words(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int end = bytes.length;
        if (end > TEXT_BYTES) {
            end = TEXT_BYTES - 3;
            while (end > 0 && (bytes[end] & 0xC0) == 0x80) { // in the midst of a character
                end--;
            }
            bytes = (new String(bytes, 0, end, StandardCharsets.UTF_8) + "…").getBytes(StandardCharsets.UTF_8);
        }
        return MemorySegment.ofArray(new long[MORE_WORDS]).copyFrom(MemorySegment.ofArray(bytes));
    }

    /// What a run ends with for it.
    ///
    /// @param operation the run, for its message
    /// @param difference names arguments
    RuntimeException exception(
            String operation, RunArguments.Difference difference, MemberAddresses memberAddresses, PeRuntime runtime) {
        String prefix = memberAddresses.messagePrefix(operation);
        String who = prefix + "PE " + pe;
        return switch (reason) {
            case FAILED -> failed(prefix, memberAddresses, runtime);
            case LATE -> new WaitTimeoutException(who + " timed out in " + RunTag.text(tag));
            case MISMATCH -> new CollectiveMismatchException(prefix + mismatch(difference));
            case LENGTHS -> new CollectiveMismatchException(prefix + differentArguments() + ": " + text());
            case LEFT ->
                new CollectiveMismatchException(who + " is waiting in " + RunTag.text(tag) + " for PE " + otherPe
                        + ", which is closing the team without having posted it");
            case UNPREPARED ->
                new CoterieException(
                        who + " could not prepare " + RunTag.kind(tag).label() + ": " + text());
            case CLOSED -> new CoterieException(who + " closed the world before the operation was complete");
            case REVOKED -> new TeamRevokedException(who + " has revoked the team", pe);
            case NO_MEMORY ->
                new CoterieException(
                        who + " has no memory left for the requests of this team; enlarge the setting team.sync.kib");
            case OTHER ->
                new CoterieException(who + " aborted in " + RunTag.text(tag) + (text().isEmpty() ? "" : ": " + text()));
        };
    }

    private PeFailedException failed(String prefix, MemberAddresses memberAddresses, PeRuntime runtime) {
        List<Integer> failed = memberAddresses.failed(otherPe, runtime);
        String causes = failed.stream()
                .map(each -> "PE " + each + " "
                        + (runtime.hasTerminated(each) ? runtime.terminationCause(each) : "has failed"))
                .collect(Collectors.joining("; "));
        return new PeFailedException(
                prefix + causes + " (detected by PE " + pe + " in " + RunTag.text(tag) + ")",
                failed.stream().sorted().toList());
    }

    private String mismatch(RunArguments.Difference difference) {
        if (otherPe < 0) {
            return "members made different calls, which PE " + pe + " detected in " + RunTag.text(tag);
        }
        if (tag != otherTag) {
            return "members call different collectives: PE " + pe + " " + RunTag.text(tag) + ", PE " + otherPe + " "
                    + RunTag.text(otherTag);
        }
        long half = more.byteSize() / 2;
        long[] one = more.asSlice(0, half).toArray(JAVA_LONG);
        long[] other = more.asSlice(half).toArray(JAVA_LONG);
        String detail = Arrays.equals(one, other)
                ? "PE " + otherPe + " expects further messages"
                : difference.text(pe, one, otherPe, other);
        return differentArguments() + (detail.isEmpty() ? "" : ": " + detail);
    }

    private String differentArguments() {
        return "PE " + pe + " and PE " + otherPe + " call " + RunTag.text(tag) + " with different arguments";
    }
}
