// SPDX-License-Identifier: Apache-2.0
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import coterie.*;

static final int[] LOG_KEYS = {16, 20, 23, 25}, LOG_VALUES = {11, 16, 19, 21}; // of classes S, W, A, B
static final int LOG_BUCKETS = 10, MOST_PES = 1024, ROUNDS = 10;
static final long SEED = 314_159_265;

/// Indices of keys, and their ranks before the first round.
static final int[][] TESTED = {
    {48_427, 17_148, 23_627, 62_548, 4_431},
    {357_773, 934_767, 875_723, 898_999, 404_505},
    {2_112_377, 662_041, 5_336_171, 3_642_833, 4_250_760},
    {41_869, 812_306, 5_102_857, 18_232_239, 26_860_214}
};
static final int[][] RANKS = {
    {0, 18, 346, 64_917, 65_463},
    {1_249 - 2, 11_698 - 2, 1_039_987, 1_043_896, 1_048_018},
    {104 - 1, 17_523 - 1, 123_928 - 1, 8_288_932 + 1, 8_388_264 + 1},
    {33_422_937, 10_244, 59_149, 33_135_281, 99}
};

/// How a rank changes in each round, in which PE 0 changes one small and one large key.
static final int[][] CHANGES = {{1, 1, 1, -1, -1}, {1, 1, -1, -1, -1}, {1, 1, 1, -1, -1}, {-1, 1, 1, -1, 1}};

/// IS: the rank of each of many integers, which is the number of smaller ones.
///
/// The range of keys is divided into buckets. The PEs add their counts of keys by bucket, and each takes as many
/// consecutive buckets as make its share of the keys. Each PE groups its keys by bucket and sends each group to the
/// PE of its bucket, which counts the keys of each value. The rank of a value is the sum of the counts before it. This
/// is done ten times, with two other keys each time. Any number of PEs up to 1024 will do.
///
/// Shows: an all-to-all of blocks of any lengths, and loops over symmetric memory.
/// Run: `coterie run -n 4 IS.java [S | W | A | B]`
/// Prints: keys per second. The program fails if the rank of one of five keys is wrong in any round, or if the keys are
/// not in order after the last.
void main(String[] args) {
    World world = World.join();
    if (Npb.helps(world, "IS", args)) return;
    Npb npb = Npb.of(world, "IS", args);
    if (world.size() > MOST_PES) {
        throw new IllegalArgumentException("IS runs on at most " + MOST_PES + " PEs, not " + world.size());
    }
    Ranking ranking = new Ranking(world, LOG_KEYS[npb.index()], LOG_VALUES[npb.index()]);
    int[] tested = ranking.keysAt(TESTED[npb.index()]);
    ranking.rank(1);

    int passed = 0;
    long start = npb.start();
    for (int round = 1; round <= ROUNDS; round++) {
        ranking.rank(round);
        for (int i = 0; i < tested.length; i++) {
            int expected = RANKS[npb.index()][i] + CHANGES[npb.index()][i] * round;
            if (ranking.has(tested[i]) && ranking.rankOf(tested[i]) == expected) passed++;
        }
    }
    double seconds = npb.seconds(start);
    long right = world.team().sum(passed), wrong = world.team().sum(ranking.misplaced());
    long keys = 1L << LOG_KEYS[npb.index()];
    npb.print("%d of %d ranks are right, and %d keys are out of order", right, ROUNDS * tested.length, wrong);
    npb.report(
            Long.toString(keys),
            ROUNDS,
            seconds,
            (double) ROUNDS * keys,
            "keys ranked",
            right == (long) ROUNDS * tested.length && wrong == 0);
}

/// This PE's part of the keys, at first as they come and then by their ranks.
class Ranking {
    final World world;
    final int pes, shift, largest;
    final long all; // keys, of all PEs
    final int firstIndex; // of this PE's keys
    final int[] keys;

    final IntView counts, totals; // of keys by bucket: this PE's, and those of all
    final IntView grouped, received; // keys by PE
    final int[] bucketBegins; // where a bucket begins in `grouped`
    final long[] sent, sentAt, got, gotAt; // keys by PE

    int firstValue, endValue; // those that this PE ranks
    long smaller; // keys, on the PEs before this one
    final int[] ranks; // by value from the first: after it the next value's, within this PE

    Ranking(World world, int logKeys, int logValues) {
        this.world = world;
        pes = world.size();
        shift = logValues - LOG_BUCKETS;
        largest = 1 << logValues;
        all = 1L << logKeys;
        firstIndex = (int) (all * world.pe() / pes);
        keys = new int[(int) (all * (world.pe() + 1) / pes) - firstIndex];
        makeKeys(Npb.skip(SEED, 4L * firstIndex));

        int buckets = 1 << LOG_BUCKETS;
        counts = world.allocate(buckets * Integer.BYTES).ints();
        totals = world.allocate(buckets * Integer.BYTES).ints();
        grouped = world.allocate((all / pes + 1) * Integer.BYTES).ints();
        bucketBegins = new int[buckets];
        sent = new long[pes];
        sentAt = new long[pes];
        got = new long[pes];
        gotAt = new long[pes];

        count();
        int largestBucket = 0;
        for (int b = 0; b < buckets; b++) largestBucket = (int) Math.max(largestBucket, totals.get(b));
        // A share, a bucket that begins in it, and the keys that change
        received = world.allocate((all / pes + largestBucket + 2 * ROUNDS + 1) * Integer.BYTES).ints();
        ranks = new int[largest];
    }

    /// Makes keys of a distribution with most of them in the middle: the means of four random numbers.
    void makeKeys(long before) {
        long x = before;
        double quarter = largest / 4;
        for (int i = 0; i < keys.length; i++) {
            long second = Npb.next(x = Npb.next(x)), third = Npb.next(second);
            double sum = Npb.fraction(x) + Npb.fraction(second) + Npb.fraction(third);
            x = Npb.next(third);
            keys[i] = (int) (quarter * (sum + Npb.fraction(x)));
        }
    }

    /// Returns the keys with these indices, on whatever PE they are.
    int[] keysAt(int[] indices) {
        int[] found = new int[indices.length];
        for (int i = 0; i < indices.length; i++) {
            int mine = indices[i] - firstIndex;
            if (mine >= 0 && mine < keys.length) found[i] = keys[mine];
        }
        world.team().allReduce(Reduction.SUM, found);
        return found;
    }

    /// Ranks the keys, after those of this round have changed.
    void rank(int round) {
        if (world.pe() == 0) {
            keys[round] = round;
            keys[round + ROUNDS] = largest - round;
        }
        count();
        assign();
        group();
        Team team = world.team();
        team.allToAll(got, sent);
        for (int pe = 1; pe < pes; pe++) {
            sentAt[pe] = sentAt[pe - 1] + sent[pe - 1];
            gotAt[pe] = gotAt[pe - 1] + got[pe - 1];
        }
        team.allToAllV(received, got, gotAt, grouped, sent, sentAt);
        rankReceived();
    }

    /// Counts the keys by bucket, here and on all PEs.
    void count() {
        int[] begins = bucketBegins;
        Arrays.fill(begins, 0);
        for (int key : keys) begins[key >> shift]++;
        counts.set(0, begins, 0, begins.length);
        world.team().allReduce(Reduction.SUM, totals, 0, counts, 0, begins.length);
    }

    /// Assigns each bucket to the PE in whose share of all keys it begins.
    void assign() {
        Arrays.fill(sent, 0);
        firstValue = endValue = -1;
        long before = 0;
        int mineBefore = 0;
        for (int b = 0; b < bucketBegins.length; b++) {
            int owner = (int) Math.min(pes - 1, before * pes / all); // no keys may come after the last
            int mine = bucketBegins[b];
            if (owner == world.pe()) {
                if (firstValue < 0) {
                    firstValue = b << shift;
                    smaller = before;
                }
                endValue = b + 1 << shift;
            }
            sent[owner] += mine;
            bucketBegins[b] = mineBefore;
            mineBefore += mine;
            before += totals.get(b);
        }
    }

    /// Writes the keys to `grouped`, the lower buckets first.
    void group() {
        MemorySegment target = grouped.segment();
        int[] next = bucketBegins;
        for (int key : keys) target.setAtIndex(JAVA_INT_UNALIGNED, next[key >> shift]++, key);
    }

    /// Counts the received keys by value, and adds the counts up.
    void rankReceived() {
        int values = endValue - firstValue, keys = received();
        Arrays.fill(ranks, 0, values, 0);
        MemorySegment source = received.segment();
        for (int i = 0; i < keys; i++) ranks[source.getAtIndex(JAVA_INT_UNALIGNED, i) - firstValue]++;
        int sum = 0;
        for (int i = 0; i < values; i++) ranks[i] = sum += ranks[i];
    }

    int received() {
        return (int) (gotAt[pes - 1] + got[pes - 1]);
    }

    /// Whether this PE ranks the keys of this value.
    boolean has(int value) {
        return firstValue <= value && value < endValue;
    }

    long rankOf(int value) {
        return smaller + (value == firstValue ? 0 : ranks[value - firstValue - 1]);
    }

    /// Puts the received keys where their ranks say, and returns how many are lost or out of order.
    long misplaced() {
        int[] sorted = new int[received()], next = new int[endValue - firstValue];
        if (sorted.length > 0) System.arraycopy(ranks, 0, next, 1, next.length - 1);
        long wrong = (world.pe() == 0 ? all : 0) - sorted.length;
        MemorySegment source = received.segment();
        for (int i = 0; i < sorted.length; i++) {
            int key = source.getAtIndex(JAVA_INT_UNALIGNED, i);
            sorted[next[key - firstValue]++] = key;
        }
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i - 1] > sorted[i]) wrong++;
        }
        return wrong;
    }
}
