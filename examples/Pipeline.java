// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Pipeline: every PE is a stage that works on each item and puts it to the next stage. PE 0 makes the items, and
/// the last PE checks them.
///
/// Each stage has a ring of slots, into which its predecessor puts items. Two kinds of signals control the flow:
/// `filled` at the receiver holds the number of the last item in a slot, and `freed` at the sender counts the
/// items whose slots it may use again. A stage waits only until its next item has arrived and the next stage has a
/// free slot. One item may overtake another on its way, so each slot has its own `filled`.
///
/// Shows: put with signal as a stream, signals that are set (downstream) and added to (upstream), flow control.
/// Run: `coterie run -n 4 Pipeline.java [--items N] [--longs PER_ITEM] [--slots K]`
/// Prints: items and megabytes per second. The program fails if an item is wrong or out of order.
void main(String[] args) {
    var options = new TreeMap<>(Map.of("--items", 100_000L, "--longs", 64L, "--slots", 8L));
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES Pipeline.java [OPTION NUMBER]...\nOptions, defaults: %s", options);
        return;
    }
    for (int i = 0; i < args.length; i += 2) {
        if (i + 1 < args.length && options.replace(args[i], Long.valueOf(args[i + 1])) != null) continue;
        throw new IllegalArgumentException(args[i] + " is no option with a number; see --help");
    }
    long items = options.get("--items"), length = options.get("--longs"), slots = options.get("--slots");
    if (length < 1 || slots < 1) throw new IllegalArgumentException("--longs and --slots are at least 1");

    int me = world.pe(), last = world.size() - 1;
    LongView ring = world.allocate(slots * length * Long.BYTES).longs();
    SymmetricMemory signals = world.allocate((slots + 1) * Long.BYTES);
    SignalWord freed = signals.signal(slots);
    SignalWord[] filled = new SignalWord[Math.toIntExact(slots)];
    Arrays.setAll(filled, slot -> signals.signal((long) slot));

    long start = System.nanoTime();
    for (long item = 0; item < items; item++) {
        long slot = item % slots * length;
        SignalWord here = filled[(int) (item % slots)];
        if (me == 0) {
            for (long i = 0; i < length; i++) ring.set(slot + i, item * length + i);
        } else {
            here.waitUntil(Comparison.GE, item + 1);
        }
        for (long i = slot; i < slot + length; i++) ring.set(i, work(ring.get(i), me));
        if (me == last) {
            check(ring, slot, item, length, last);
        } else {
            if (item >= slots) freed.waitUntil(Comparison.GT, item - slots); // the slot's last item is done
            ring.putSignal(slot, ring.segment(), slot, length, here.setting(item + 1), me + 1);
        }
        if (me > 0) freed.add(1, me - 1);
    }
    world.team().barrier();
    double seconds = (System.nanoTime() - start) / 1e9;
    report(world, "%d items of %d B through %d stages in %.2f s: %.0f items/s, %.1f MB/s; all are right and in order",
            items, length * Long.BYTES, world.size(), seconds, items / seconds,
            items * length * Long.BYTES / seconds / 1e6);
}

/// Returns what a stage makes of a number.
long work(long number, int stage) {
    return 3 * number + stage;
}

/// Checks that every number of an item has passed all stages.
void check(IntegerView ring, long slot, long item, long length, int last) {
    for (long i = 0; i < length; i++) {
        long expected = item * length + i;
        for (int stage = 0; stage <= last; stage++) expected = work(expected, stage);
        if (ring.get(slot + i) != expected) {
            throw new IllegalStateException("number %d of item %d is %d, expected %d"
                    .formatted(i, item, ring.get(slot + i), expected));
        }
    }
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
