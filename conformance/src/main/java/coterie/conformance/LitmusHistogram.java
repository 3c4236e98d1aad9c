// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

/// How many rounds of a [LitmusShape] ended how, in one line.
final class LitmusHistogram {
    /// What one part of an outcome may be: `[0, 16)`.
    private static final int RANGE = 16;

    private final String title;
    private final long[] counts = new long[RANGE * RANGE * RANGE];
    private long rounds;
    private long forbidden;

    LitmusHistogram(String title) {
        this.title = title;
    }

    long rounds() {
        return rounds;
    }

    /// Rounds that ended as they may not.
    long forbidden() {
        return forbidden;
    }

    void count(int zero, int one, int last, boolean allowed) {
        rounds++;
        counts[(zero * RANGE + one) * RANGE + last]++;
        forbidden += allowed ? 0 : 1;
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("litmus ").append(title).append(": ").append(rounds);
        text.append(" rounds, ").append(forbidden).append(" forbidden; PE 0/PE 1/last");
        String separator = " ";
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                text.append(separator).append(i / RANGE / RANGE).append('/').append(i / RANGE % RANGE);
                text.append('/').append(i % RANGE).append(": ").append(counts[i]);
                separator = ", ";
            }
        }
        return text.toString();
    }
}
