// SPDX-License-Identifier: Apache-2.0
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.*;

static final int ROUNDS = 7, WARM = 3;

/// A sort of `long`s that are spread over the PEs, beside [Arrays#parallelSort] of as many on PE 0, by turns.
///
/// Run: `coterie run -n 2 SampleSort.java [NUMBERS]`
/// Prints: medians of both in ms. The program fails if a number is lost or out of order.
void main(String[] args) {
    World world = World.join();
    Team team = world.team();
    int all = args.length > 0 ? Integer.parseInt(args[0]) : 1 << 22;
    Sorter sorter = new Sorter(world, all);
    double[] ours = new double[ROUNDS], theirs = new double[ROUNDS];
    for (int round = -WARM; round < ROUNDS; round++) {
        sorter.fill(round);
        team.barrier();
        long start = System.nanoTime();
        sorter.sort();
        team.barrier();
        double millis = (System.nanoTime() - start) / 1e6;
        sorter.check(round);
        if (round >= 0) ours[round] = millis;

        long[] numbers = world.pe() == 0 ? new SplittableRandom(round).longs(all).toArray() : new long[0];
        team.barrier();
        start = System.nanoTime();
        Arrays.parallelSort(numbers);
        if (round >= 0) theirs[round] = (System.nanoTime() - start) / 1e6;
        team.barrier();
    }
    Arrays.sort(ours);
    Arrays.sort(theirs);
    double mine = ours[ROUNDS / 2], other = theirs[ROUNDS / 2];
    if (world.pe() == 0) {
        IO.println("%d longs on %d PEs  sample sort %.1f ms  parallelSort %.1f ms  rate %.2f of parallelSort's"
                .formatted(all, world.size(), mine, other, other / mine));
    }
}

/// Each PE takes samples of its numbers; the samples of all divide the numbers into a part for each PE, which gets the
/// numbers of its part and sorts them.
class Sorter {
    static final int SAMPLES = 512; // of each PE

    final Team team;
    final int pes, all;
    final long[] numbers, samples, allSamples;
    final long[] bounds; // the least number of each part but the first
    final LongView grouped, received;
    final long[] sent, sentAt, got, gotAt;
    final int[] next;
    long[] sorted;
    int length; // of what is sorted

    Sorter(World world, int all) {
        team = world.team();
        pes = world.size();
        this.all = all;
        numbers = new long[(int) ((long) all * (team.member() + 1) / pes - (long) all * team.member() / pes)];
        samples = new long[SAMPLES];
        allSamples = new long[SAMPLES * pes];
        bounds = new long[pes - 1];
        grouped = world.allocate((all / pes + 1L) * Long.BYTES).longs();
        received = world.allocate((long) all * Long.BYTES).longs(); // all numbers may be in one part
        sent = new long[pes];
        sentAt = new long[pes];
        got = new long[pes];
        gotAt = new long[pes];
        next = new int[pes];
        sorted = new long[2 * numbers.length + 1];
    }

    void fill(int round) {
        SplittableRandom random = new SplittableRandom(31L * round + team.member());
        for (int i = 0; i < numbers.length; i++) numbers[i] = random.nextLong();
    }

    void sort() {
        choose();
        Arrays.fill(sent, 0);
        count(numbers, bounds, sent);
        for (int pe = 0, at = 0; pe < pes; at += (int) sent[pe++]) sentAt[pe] = next[pe] = at;
        group(numbers, bounds, next, grouped.segment());
        team.allToAll(got, sent);
        for (int pe = 1; pe < pes; pe++) gotAt[pe] = gotAt[pe - 1] + got[pe - 1];
        length = (int) (gotAt[pes - 1] + got[pes - 1]);
        if (sorted.length < length) sorted = new long[length];
        team.allToAllV(received, got, gotAt, grouped, sent, sentAt);
        received.get(0, sorted, 0, length);
        Arrays.sort(sorted, 0, length);
    }

    /// Divides the numbers by the samples of all PEs.
    private void choose() {
        SplittableRandom random = new SplittableRandom(numbers.length);
        for (int i = 0; i < SAMPLES; i++) {
            samples[i] = numbers.length == 0 ? 0 : numbers[random.nextInt(numbers.length)];
        }
        team.allGather(allSamples, samples);
        Arrays.sort(allSamples);
        for (int i = 0; i < bounds.length; i++) bounds[i] = allSamples[(i + 1) * SAMPLES];
    }

    private static int part(long number, long[] bounds) {
        int part = 0;
        for (long bound : bounds) part += number >= bound ? 1 : 0; // no branch, which half of the numbers would miss
        return part;
    }

    private static void count(long[] numbers, long[] bounds, long[] sent) {
        for (long number : numbers) sent[part(number, bounds)]++;
    }

    private static void group(long[] numbers, long[] bounds, int[] next, MemorySegment target) {
        for (long number : numbers) target.setAtIndex(JAVA_LONG, next[part(number, bounds)]++, number);
    }

    /// Whether all numbers are there, in order within this PE and after those of the PEs before.
    void check(int round) {
        long sum = 0;
        boolean isOrdered = true;
        for (int i = 0; i < length; i++) {
            sum += sorted[i];
            isOrdered &= i == 0 || sorted[i - 1] <= sorted[i];
        }
        long expected = 0;
        for (long number : numbers) expected += number;
        long[] ends = {length, length == 0 ? 0 : sorted[0], length == 0 ? 0 : sorted[length - 1]};
        long[] allEnds = new long[3 * pes];
        team.allGather(allEnds, ends);
        long last = Long.MIN_VALUE, found = 0;
        for (int pe = 0; pe < pes; pe++) {
            if (allEnds[3 * pe] == 0) continue;
            isOrdered &= last <= allEnds[3 * pe + 1];
            last = allEnds[3 * pe + 2];
            found += allEnds[3 * pe];
        }
        if (!isOrdered || found != all || team.sum(sum) != team.sum(expected)) {
            throw new IllegalStateException("round " + round + ": the numbers are not sorted");
        }
    }
}
