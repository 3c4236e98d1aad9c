// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Pipeline: every PE is a stage that works on each item and hands it to the next; PE 0 makes the items, the last
/// PE checks them.
///
/// A stage has a ring of slots, into which the one before it puts. Signals keep them in step: `filled` at the
/// receiver says which item has come, `freed` at the sender counts those whose slot may be used again. So a stage
/// waits only for an item that is not there yet or a slot that is not free yet, and runs ahead of the next one
/// otherwise. Items may overtake each other on their way: so each slot has a `filled` of its own.
///
/// Shows: put with signal as a stream, signals ADD and SET in both directions, flow control.
/// Run: `coterie run -n 4 Pipeline.java [--items N] [--longs PER_ITEM] [--slots K]`
/// Prints: items and megabytes per second. Fails if an item is wrong or out of order.
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
    IntegerView ring = world.allocate(slots * length * Long.BYTES).longs();
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
            if (item >= slots) freed.waitUntil(Comparison.GT, item - slots); // the item that had the slot is gone
            ring.putSignal(slot, ring.segment(), slot, length, me + 1, here.setting(item + 1));
        }
        if (me > 0) freed.add(1, me - 1);
    }
    world.team().barrier();
    double seconds = (System.nanoTime() - start) / 1e9;
    report(world, "%d items of %d B through %d stages in %.2f s: %.0f items/s, %.1f MB/s; all are right and in order",
            items, length * Long.BYTES, world.size(), seconds, items / seconds,
            items * length * Long.BYTES / seconds / 1e6);
}

/// What a stage does to each number.
long work(long number, int stage) {
    return 3 * number + stage;
}

/// Compares an item with what all stages make of it.
void check(IntegerView ring, long slot, long item, long length, int last) {
    for (long i = 0; i < length; i++) {
        long expected = item * length + i;
        for (int stage = 0; stage <= last; stage++) expected = work(expected, stage);
        if (ring.get(slot + i) != expected) {
            throw new IllegalStateException("number %d of item %d is %d, not %d"
                    .formatted(i, item, ring.get(slot + i), expected));
        }
    }
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
