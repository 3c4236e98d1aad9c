// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.Comparison;

/// What an operation of a lane needs and does, for a diagnosis; see [OperationLog]. It is a buffer: a writer
/// keeps one and fills it anew for each operation, after [#clear].
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
        /// waits until the word there, of this PE, compares with the value; and `length - 1` words after it.
        /// The text [OperationRecord#object] lists the PEs that may write them, by [OperationLog#writers], and
        /// [OperationRecord#signature] says which memory they are in, by [OperationLog#allocation]
        WAIT,
        /// runs code of the program, which can do anything
        RUN,
        /// runs code of the program, which asks again and again whether something has happened
        POLL,
        /// runs a kernel, all of whose threads wait: its next block needs [OperationRecord#value] threads, 0 if
        /// all blocks have started; they hold [OperationRecord#length] of the device's [OperationRecord#object]
        THREADS,
        /// waits for all members of the team with the text [OperationRecord#object], in the collective number
        /// [OperationRecord#value], which has the text [OperationRecord#signature]
        COLLECTIVE,
        /// waits for the first [OperationRecord#value] operations of the lane [OperationRecord#object] of this PE
        AFTER,
        /// reads [OperationRecord#length] bytes there, and stores them somewhere in the memory of this PE
        GET
    }

    private Action action = Action.LOCAL;
    private Comparison comparison = Comparison.EQ;
    private boolean isUnsigned;
    private int width = Long.BYTES;
    private boolean needsSlot;
    private boolean isStarted;
    private int pe;
    private long offset;
    private int object;
    private long value;
    private long length;
    private int label;
    private int signature;
    private int site;
    private long order;

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

    /// Returns what it is.
    public Action action() {
        return action;
    }

    /// Sets what it is.
    public void setAction(Action action) {
        this.action = action;
    }

    /// Returns how a wait compares.
    public Comparison comparison() {
        return comparison;
    }

    /// Sets how a wait compares.
    public void setComparison(Comparison comparison) {
        this.comparison = comparison;
    }

    /// Returns whether the numbers of a wait have no sign.
    public boolean isUnsigned() {
        return isUnsigned;
    }

    /// Sets whether the numbers of a wait have no sign.
    public void setUnsigned(boolean isUnsigned) {
        this.isUnsigned = isUnsigned;
    }

    /// Returns the bytes of a word.
    public int width() {
        return width;
    }

    /// Sets the bytes of a word.
    public void setWidth(int width) {
        this.width = width;
    }

    /// Returns whether it needs a slot of its device.
    public boolean needsSlot() {
        return needsSlot;
    }

    /// Sets whether it needs a slot of its device.
    public void setNeedsSlot(boolean needsSlot) {
        this.needsSlot = needsSlot;
    }

    /// Returns whether it has started: it has its slot, and its queue has come to it.
    public boolean isStarted() {
        return isStarted;
    }

    /// Sets whether it has started: it has its slot, and its queue has come to it.
    public void setStarted(boolean isStarted) {
        this.isStarted = isStarted;
    }

    /// Returns a PE, by its number in the world.
    public int pe() {
        return pe;
    }

    /// Sets a PE, by its number in the world.
    public void setPe(int pe) {
        this.pe = pe;
    }

    /// Returns a place in symmetric memory, in bytes from its begin.
    public long offset() {
        return offset;
    }

    /// Sets a place in symmetric memory, in bytes from its begin.
    public void setOffset(long offset) {
        this.offset = offset;
    }

    /// Returns a text or a lane, by number; or threads.
    public int object() {
        return object;
    }

    /// Sets a text or a lane, by number; or threads.
    public void setObject(int object) {
        this.object = object;
    }

    /// Returns an operand, a sequence number or a position.
    public long value() {
        return value;
    }

    /// Sets an operand, a sequence number or a position.
    public void setValue(long value) {
        this.value = value;
    }

    /// Returns bytes or words.
    public long length() {
        return length;
    }

    /// Sets bytes or words.
    public void setLength(long length) {
        this.length = length;
    }

    /// Returns the number of the text that says what it is.
    public int label() {
        return label;
    }

    /// Sets the number of the text that says what it is.
    public void setLabel(int label) {
        this.label = label;
    }

    /// Returns the number of the text that says what collective it is, or where awaited words are.
    public int signature() {
        return signature;
    }

    /// Sets the number of the text that says what collective it is, or where awaited words are.
    public void setSignature(int signature) {
        this.signature = signature;
    }

    /// Returns the number of the text that says where the program has called it; 0 if unknown.
    public int site() {
        return site;
    }

    /// Sets the number of the text that says where the program has called it; 0 if unknown.
    public void setSite(int site) {
        this.site = site;
    }

    /// Returns its place among all operations of its device, in the order of the calls.
    public long order() {
        return order;
    }

    /// Sets its place among all operations of its device, in the order of the calls.
    public void setOrder(long order) {
        this.order = order;
    }
}
