// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.Comparison;

/// What an operation of a lane needs and does, for a diagnosis; see [OperationLog]. A writer keeps one object
/// and fills it anew for each operation, after [#clear].
public final class OperationRecord {
    /// The bytes of a record in memory.
    public static final long BYTES = 64;

    /// What an operation does for others, or waits for.
    public enum Action {
        /// needs nothing
        LOCAL,
        /// adds [OperationRecord#value] to the word at [OperationRecord#offset] of [OperationRecord#pe]
        ADD,
        /// stores the value there
        SET,
        /// writes [OperationRecord#length] bytes there
        PUT,
        /// waits until the word there, of this PE, compares with the value; and `length - 1` words after it. The text
        /// [OperationRecord#object] lists the PEs that may write them, by [OperationLog#writers]
        WAIT,
        /// runs code of the program, which can do anything
        RUN,
        /// runs code of the program, which asks again and again whether something has happened
        POLL,
        /// runs a kernel, all of whose threads wait: its next block needs [OperationRecord#value] threads, 0 if all
        /// blocks have started; they hold [OperationRecord#length] of the device's [OperationRecord#object]
        THREADS,
        /// waits for all members of the team with the text [OperationRecord#object], in the collective number
        /// [OperationRecord#value], which has the text [OperationRecord#signature]
        COLLECTIVE,
        /// waits for the first [OperationRecord#value] operations of the lane [OperationRecord#object] of this PE
        AFTER,
        /// reads [OperationRecord#length] bytes there, and stores them somewhere in the memory of this PE
        GET
    }

    /// What it is.
    public Action action = Action.LOCAL;

    /// How a wait compares.
    public Comparison comparison = Comparison.EQ;

    /// Whether the numbers of a wait have no sign.
    public boolean isUnsigned;

    /// The bytes of a word.
    public int width = Long.BYTES;

    /// Whether it needs a slot of its device.
    public boolean needsSlot;

    /// Whether it has started: it has its slot, and its queue has come to it.
    public boolean isStarted;

    /// A PE, by its number in the world.
    public int pe;

    /// A place in symmetric memory, in bytes from its begin.
    public long offset;

    /// A text or a lane, by number; or threads.
    public int object;

    /// An operand, a sequence number or a position.
    public long value;

    /// Bytes or words.
    public long length;

    /// The number of the text that says what it is.
    public int label;

    /// The number of the text that says what collective it is.
    public int signature;

    /// The number of the text that says where the program has called it; 0 if unknown.
    public int site;

    /// Its place among all operations of its device, in the order of the calls.
    public long order;

    /// Makes an empty record.
    public OperationRecord() {}

    /// Empties it.
    public void clear() {
        action = Action.LOCAL;
        comparison = Comparison.EQ;
        isUnsigned = false;
        width = Long.BYTES;
        needsSlot = false;
        isStarted = false;
        pe = 0;
        offset = 0;
        object = 0;
        value = 0;
        length = 0;
        label = 0;
        signature = 0;
        site = 0;
        order = 0;
    }
}
