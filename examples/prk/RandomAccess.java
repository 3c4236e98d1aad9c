// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int STREAMS = 1024; // of random numbers on a PE: the most that the benchmark lets a PE know at a time
static final int POLYNOMIAL = 7; // x² + x + 1; a number is multiplied by x modulo x⁶⁴ and this
static final long SEED = 834_568_137_686_317_453L; // the index of the first number

/// Random access: each random number is combined by exclusive or with an element of a table, at the index that its
/// lower bits are.
///
/// Each PE owns a part of the table. In each step it makes one number of each of its streams, sorts them by the PE
/// that owns their elements, puts each PE's into its inbox, and applies those in its own. A signal says how many there
/// are. Inboxes of two steps alternate: a PE that has sent the numbers of a step no longer reads those of the one
/// before. All is done twice, which restores the table. Powers of 2 are the numbers of PEs that will do.
///
/// Shows: an all-to-all of blocks of any lengths, by puts whose signals have the lengths.
/// Run: `coterie run -n 4 RandomAccess.java [RATIO LOG_TABLE]`, with RATIO updates for each element
/// Prints: billions of updates per second. The program fails if an element is not as before, or an update is lost.
void main(String[] args) {
    World world = World.join();
    Prk prk = new Prk(world, "RandomAccess", "RATIO", "LOG_TABLE");
    if (prk.helps(args)) return;
    int[] numbers = prk.numbers(args, 16, 16);
    int ratio = numbers[0], logTable = numbers[1], pes = world.size();
    prk.require(Integer.bitCount(ratio) == 1, "RATIO is a power of 2, not %d", ratio);
    prk.require(Integer.bitCount(pes) == 1, "the number of PEs is a power of 2, not %d", pes);
    int logPart = logTable - Integer.numberOfTrailingZeros(pes);
    prk.require(logPart >= 0 && logPart <= 30, "LOG_TABLE on %d PEs leaves 0 to 30 for each, not %d", pes, logPart);
    long updates = (long) ratio << logPart, steps = updates / STREAMS / 2;
    prk.require(steps > 0, "a PE has at least %d updates, not %d", 2 * STREAMS, updates);
    prk.begin("random access", numbers);

    Table table = new Table(world, logPart);
    long start = prk.start();
    for (int round = 0; round < 2; round++) {
        table.seed(SEED + ((long) world.pe() << logPart), updates / STREAMS);
        for (long i = 0; i < steps; i++) table.update();
    }
    double seconds = prk.seconds(start);

    long all = updates * pes, wrong = world.team().sum(table.wrong()), applied = world.team().sum(table.applied);
    String error = wrong == 0 && applied == all ? "" : wrong + " elements are wrong after " + applied + " updates";
    prk.report(error, "GUPS/s", all / seconds / 1e9, 1, seconds);
}

/// This PE's part of the table, and its random numbers.
class Table {
    final int me, pes, logPart;
    final long[] table;
    final long[] streams = new long[STREAMS];
    final long[] outbox; // by PE
    final int[] sizes;
    final MemorySegment outboxSegment;
    final LongView inbox; // of two steps, by PE
    final SignalWord[] signals; // of two steps, by PE: the step times a power of 2, plus how many numbers
    final long[] received = new long[STREAMS];
    long step, applied;

    Table(World world, int logPart) {
        me = world.pe();
        pes = world.size();
        this.logPart = logPart;
        table = new long[1 << logPart];
        for (int i = 0; i < table.length; i++) table[i] = first() + i;
        outbox = new long[pes * STREAMS];
        sizes = new int[pes];
        outboxSegment = MemorySegment.ofArray(outbox);
        inbox = world.allocate(2L * pes * STREAMS * Long.BYTES).longs();
        SymmetricMemory words = world.allocate(2L * pes * Long.BYTES);
        signals = new SignalWord[2 * pes];
        for (int i = 0; i < 2 * pes; i++) signals[i] = words.signal(i);
    }

    long first() {
        return (long) me << logPart;
    }

    /// Begins the streams: the first at a number of the sequence, each other one `distance` numbers after the one
    /// before.
    void seed(long index, long distance) {
        long factor = power(distance);
        streams[0] = power(index);
        for (int i = 1; i < STREAMS; i++) streams[i] = product(streams[i - 1], factor);
    }

    static long power(long exponent) {
        long result = 1;
        for (long square = 2, rest = exponent; rest > 0; rest >>= 1, square = product(square, square)) {
            if ((rest & 1) == 1) result = product(result, square);
        }
        return result;
    }

    static long product(long left, long right) {
        long sum = 0;
        for (long multiple = left, rest = right; rest != 0; rest >>>= 1, multiple = next(multiple)) {
            sum ^= multiple & -(rest & 1);
        }
        return sum;
    }

    static long next(long number) {
        return number << 1 ^ number >> 63 & POLYNOMIAL;
    }

    void update() {
        step++;
        for (int i = 0; i < STREAMS; i++) streams[i] = next(streams[i]);
        if (pes == 1) {
            apply(streams, 0, STREAMS);
        } else {
            exchange();
        }
    }

    void exchange() {
        sort(streams, outbox, sizes, logPart, pes - 1);
        int turn = (int) (step & 1) * pes;
        for (int i = 1; i < pes; i++) {
            int pe = (me + i) % pes;
            SignalUpdate update = signals[turn + me].setting(step * 2 * STREAMS + sizes[pe]);
            inbox.putSignal((long) (turn + me) * STREAMS, outboxSegment, (long) pe * STREAMS, sizes[pe], update, pe);
        }
        apply(outbox, me * STREAMS, sizes[me]);
        for (int i = 1; i < pes; i++) {
            int pe = (me + pes - i) % pes;
            long value = signals[turn + pe].waitUntil(Comparison.GE, step * 2 * STREAMS);
            int size = (int) (value - step * 2 * STREAMS);
            inbox.get((long) (turn + pe) * STREAMS, received, 0, size);
            apply(received, 0, size);
        }
    }

    static void sort(long[] numbers, long[] target, int[] sizes, int shift, int mask) {
        Arrays.fill(sizes, 0);
        for (long number : numbers) {
            int pe = (int) (number >>> shift) & mask;
            target[pe * STREAMS + sizes[pe]++] = number;
        }
    }

    void apply(long[] numbers, int begin, int count) {
        apply(table, first(), ((long) pes << logPart) - 1, numbers, begin, count);
        applied += count;
    }

    /// Applies numbers to a part of the table. A number of another part throws.
    static void apply(long[] table, long first, long mask, long[] numbers, int begin, int count) {
        for (int i = begin; i < begin + count; i++) {
            long number = numbers[i];
            table[(int) ((number & mask) - first)] ^= number;
        }
    }

    long wrong() {
        long wrong = 0;
        for (int i = 0; i < table.length; i++) {
            if (table[i] != first() + i) wrong++;
        }
        return wrong;
    }
}
