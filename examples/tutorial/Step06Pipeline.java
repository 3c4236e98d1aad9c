// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int ITEMS = 3;

/// Step 6 of docs/tutorial.md.
void main() {
    World world = World.join();
    LongView slot = world.allocate(Long.BYTES).longs();
    SymmetricMemory words = world.allocate(2 * Long.BYTES);
    SignalWord filled = words.signal(0), freed = words.signal(1);
    int me = world.pe(), last = world.size() - 1;

    for (int item = 1; item <= ITEMS; item++) {
        long value = item;
        if (me > 0) {
            filled.waitUntil(Comparison.GE, item);
            value = slot.get(0);
            freed.add(1, me - 1); // the stage before may fill the slot again
        }
        long[] result = {10 * value + me};
        if (me == last) {
            IO.println("item " + item + " comes out as " + result[0]);
        } else {
            freed.waitUntil(Comparison.GE, item - 1);
            slot.putSignal(0, MemorySegment.ofArray(result), 0, 1, filled.setting(item), me + 1);
        }
    }
}
