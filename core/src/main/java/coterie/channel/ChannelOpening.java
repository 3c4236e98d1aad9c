// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import static java.nio.charset.StandardCharsets.UTF_8;

import coterie.CollectiveMismatchException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The agreement of a team's members on a channel. A member whose arguments are wrong takes part all the same, so that
/// the others learn of it and don't wait.
final class ChannelOpening {
    private static final String OPEN = "open of a channel";

    /// The number of words of arguments that are wrong; that of others is larger.
    private static final int WRONG = 0;

    private final Team team;
    private final @Nullable ChannelShape shape;
    private final int consumer;
    private final int @Nullable [] producers;
    private final String prefix;

    ChannelOpening(Team team, @Nullable ChannelShape shape, int consumer, int @Nullable [] producers) {
        this.team = Objects.requireNonNull(team, OPEN + ": team is null");
        this.shape = shape;
        this.consumer = consumer;
        this.producers = producers == null ? null : producers.clone();
        int me = team.member();
        if (me < 0) {
            throw new IllegalStateException(
                    OPEN + " on team \"" + team.name() + "\": the caller is not a member, and can't use the channel");
        }
        this.prefix = ChannelMember.prefix(OPEN, team.name(), team.pe(me));
    }

    ChannelMember agree() {
        RuntimeException refusal = refusal();
        long[] mine = refusal == null ? words() : new long[WRONG];
        long least = team.allReduce(Reduction.MIN, mine.length);
        long greatest = team.allReduce(Reduction.MAX, mine.length);
        if (refusal != null) {
            throw refusal;
        }
        if (least == WRONG) {
            throw new IllegalArgumentException(
                    prefix + "another member's arguments are wrong; its exception has which");
        }
        if (least != greatest || differ(mine)) {
            throw new CollectiveMismatchException(
                    prefix + "members pass different arguments; this one's are " + text());
        }
        ChannelLayout layout = layout();
        SymmetricMemory memory = team.allocate(layout.byteSize());
        int me = team.member();
        return new ChannelMember(
                team, team.name(), team.pe(me), me, layout, memory, consumer, Objects.requireNonNull(producers));
    }

    private ChannelLayout layout() {
        return new ChannelLayout(Objects.requireNonNull(shape), Objects.requireNonNull(producers).length);
    }

    private @Nullable RuntimeException refusal() {
        if (shape == null || producers == null) {
            return new NullPointerException(prefix + (shape == null ? "shape" : "producers") + " is null");
        }
        if (producers.length == 0) {
            return new IllegalArgumentException(prefix + "there is no producer; allowed are 1 and more");
        }
        for (int member : IntStream.concat(IntStream.of(consumer), IntStream.of(producers))
                .toArray()) {
            if (member < 0 || member >= team.size()) {
                return new IndexOutOfBoundsException(
                        prefix + "member " + member + " is outside [0, " + team.size() + ")");
            }
        }
        if (IntStream.of(producers).distinct().count() < producers.length) {
            return new IllegalArgumentException(prefix + "a member occurs twice among the producers "
                    + Arrays.toString(producers) + "; a producer has one ring");
        }
        try {
            layout().byteSize();
        } catch (ArithmeticException e) {
            return new IllegalArgumentException(prefix + text() + " take more than 2^63 bytes, or 2^31 words", e);
        }
        return null;
    }

    /// Returns the arguments as words, which are as many on all members if they are equal.
    private long[] words() {
        byte[] bytes = text().getBytes(UTF_8);
        long[] words = new long[1 + bytes.length / Long.BYTES];
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, MemorySegment.ofArray(words), 0, bytes.length);
        return words;
    }

    /// Returns whether members have different words, of one number.
    private boolean differ(long[] mine) {
        long[] least = mine.clone();
        long[] greatest = mine.clone();
        team.allReduce(Reduction.MIN, least);
        team.allReduce(Reduction.MAX, greatest);
        return !Arrays.equals(least, greatest);
    }

    private String text() {
        return shape + ", consumer " + consumer + ", producers " + Arrays.toString(producers);
    }
}
