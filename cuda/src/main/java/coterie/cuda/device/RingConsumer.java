// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.AtomicOperation;
import coterie.Bfloat16;
import coterie.Context;
import coterie.ElementType;
import coterie.NarrowFloatView;
import coterie.spi.ProgressHook;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Takes descriptors from a ring in order, executes them through core, and publishes what is complete.
///
/// It starts a descriptor as soon as it comes, without waiting for those before it; it publishes completion in
/// order. Bytes that are not in a block of host memory travel through a staging buffer, one piece at a time, and the
/// descriptors after them wait. An exception of an operation ends the consumer: it stores the abort word, so that
/// all waits of kernels end, and keeps the exception.
///
/// Threads: one at a time calls [#progress], as progress hooks promise. It allocates nothing, except for the view of
/// a signal word that is not the one before.
final class RingConsumer implements ProgressHook {
    /// What the consumer stores in the abort word when it ends.
    static final long ENDED = 1;

    /// Descriptors in one call, so that a ring does not starve other work of the PE.
    private static final int QUANTUM = 128;

    /// Between polls while nothing moves; the bounds are those of core's naps.
    private static final long MIN_DUE_NANOS = 20_000;

    private static final long MAX_DUE_NANOS = 1_000_000;

    private final MemorySegment slots;
    private final MemorySegment published;
    private final MemorySegment abortWord;
    private final MemorySegment completions;
    private final @Nullable RingBlock[] blocks;
    private final Context context;
    private final DeviceAccess access;
    private final LongSupplier clock;
    private final long capacity;
    private final long[] tickets;
    private final MemorySegment staging;

    // In descriptors since the start: taken ≥ completed ≥ freed.
    private long taken;
    private long completed;
    private long freed;

    // Of the staged transfer at the head: a piece makes two steps, by the device and by core.
    private long stagedBytes;
    private long pieceBytes;
    private long pieceTicket;
    private int steps;

    private long movedAt;
    private volatile @Nullable RuntimeException failure;

    /// @param slots the ring
    /// @param published `coterie_published`
    /// @param abortWord one word
    /// @param completions what the host counts of GIN's counters
    /// @param staging registered memory for bytes of device memory
    /// @param blocks by the numbers that kernels use; null for device memory
    /// @param context of the ring alone, which numbers PEs as the kernels' team does
    /// @param clock nanoseconds
    RingConsumer(
            MemorySegment slots,
            MemorySegment published,
            MemorySegment abortWord,
            MemorySegment completions,
            MemorySegment staging,
            @Nullable RingBlock[] blocks,
            Context context,
            DeviceAccess access,
            LongSupplier clock) {
        this.slots = slots;
        this.published = published;
        this.abortWord = abortWord;
        this.completions = completions;
        this.staging = staging;
        this.blocks = blocks.clone();
        this.context = context;
        this.access = access;
        this.clock = clock;
        this.capacity = slots.byteSize() / RingLayout.SLOT_BYTES;
        this.tickets = new long[Math.toIntExact(capacity)];
        this.movedAt = clock.getAsLong();
    }

    /// Returns what ended the consumer, or null.
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    @Override
    public boolean progress() {
        if (failure != null || Thread.currentThread().isVirtual()) { // the driver takes no calls of virtual threads
            return false;
        }
        try {
            boolean moved = take();
            moved |= complete();
            moved |= free();
            if (moved) {
                movedAt = clock.getAsLong();
            }
            return moved;
        } catch (RuntimeException e) {
            failure = e;
            RingLayout.release(abortWord, 0, ENDED);
            return true;
        }
    }

    /// Kernels, which may do anything, are operations of lanes.
    @Override
    public boolean dependsOnPesAlone() {
        return true;
    }

    @Override
    public long dueNanos() {
        return failure != null
                ? Long.MAX_VALUE
                : Math.clamp((clock.getAsLong() - movedAt) >> 3, MIN_DUE_NANOS, MAX_DUE_NANOS);
    }

    private long slot(long ticket) {
        return (ticket & (capacity - 1)) * RingLayout.SLOT_BYTES;
    }

    private boolean take() {
        long before = taken;
        while (taken - before < QUANTUM && taken - freed < capacity) {
            long slot = slot(taken);
            if (RingLayout.acquire(slots, slot) != taken + 1 || !start(slot)) {
                break;
            }
            taken++;
        }
        return taken != before;
    }

    private boolean complete() {
        long before = completed;
        while (completed < taken) {
            long ticket = tickets[(int) (completed & (capacity - 1))];
            if (!isComplete(ticket)) {
                break;
            }
            long slot = slot(completed);
            if (slots.get(JAVA_BYTE, slot + RingLayout.OPERATION) == RingLayout.COUNT) {
                count(slots.get(JAVA_LONG, slot + RingLayout.OFFSET), slots.get(JAVA_LONG, slot + RingLayout.VALUE));
            }
            completed++;
        }
        if (completed == before) {
            return false;
        }
        RingLayout.release(published, RingLayout.COMPLETED, completed);
        return true;
    }

    private boolean free() {
        long before = freed;
        while (freed < completed) {
            long slot = slot(freed);
            boolean hasAnswer = slots.get(JAVA_BYTE, slot + RingLayout.ANSWER) != 0;
            if (hasAnswer && RingLayout.acquire(slots, slot) != freed + 2) {
                break; // the producer has yet to read it
            }
            freed++;
        }
        if (freed == before) {
            return false;
        }
        RingLayout.release(published, RingLayout.FREED, freed);
        return true;
    }

    private void count(long offset, long value) {
        RingLayout.release(completions, offset, RingLayout.acquire(completions, offset) + value);
    }

    /// Starts the descriptor of a slot. Returns false if it has to be called again for the same one.
    private boolean start(long slot) {
        long ticket = 0;
        switch (slots.get(JAVA_BYTE, slot + RingLayout.OPERATION)) {
            case RingLayout.PUT, RingLayout.GET -> {
                return transfer(slot);
            }
            case RingLayout.PUT_VALUE -> ticket = putValue(slot);
            case RingLayout.ATOMIC -> ticket = atomic(slot);
            case RingLayout.SIGNAL -> signal(slot);
            case RingLayout.FENCE -> context.fence();
            case RingLayout.QUIET -> ticket = context.quietNbi();
            case RingLayout.COUNT -> {} // when those before it are complete
            default -> throw unknown(slot);
        }
        started(ticket);
        return true;
    }

    private void started(long ticket) {
        tickets[(int) (taken & (capacity - 1))] = ticket;
    }

    private boolean transfer(long slot) {
        boolean isPut = slots.get(JAVA_BYTE, slot + RingLayout.OPERATION) == RingLayout.PUT;
        RingBlock target = block(slot, RingLayout.MEMORY);
        long offset = slots.get(JAVA_LONG, slot + RingLayout.OFFSET);
        int pe = slots.get(JAVA_INT, slot + RingLayout.PE);
        if (!isPut && slots.get(JAVA_BYTE, slot + RingLayout.ANSWER) != 0) {
            long width = slots.get(JAVA_BYTE, slot + RingLayout.WIDTH);
            started(target.bytes.getNbi(offset, slots, slot + RingLayout.VALUE, width, pe));
            return true;
        }
        long address = slots.get(JAVA_LONG, slot + RingLayout.LOCAL);
        long bytes = slots.get(JAVA_LONG, slot + RingLayout.BYTES);
        RingBlock local = find(address, bytes);
        if (local == null && bytes > 0) {
            return isPut
                    ? putStaged(slot, target, offset, address, bytes, pe)
                    : getStaged(target, offset, address, bytes, pe);
        }
        MemorySegment here = local == null ? staging : local.own;
        long at = local == null ? 0 : local.offsetOf(address);
        started(
                isPut
                        ? put(slot, target, offset, here, at, bytes, pe)
                        : target.bytes.getNbi(offset, here, at, bytes, pe));
        return true;
    }

    /// Puts bytes with the signal of the descriptor, if it has one.
    private long put(long slot, RingBlock target, long offset, MemorySegment source, long at, long bytes, int pe) {
        int code = slots.get(JAVA_BYTE, slot + RingLayout.CODE);
        if (code == 0) {
            return target.bytes.putNbi(offset, source, at, bytes, pe);
        }
        return target.bytes.putSignalNbi(
                offset,
                source,
                at,
                bytes,
                block(slot, RingLayout.SIGNAL_MEMORY)
                        .update(
                                slots.get(JAVA_LONG, slot + RingLayout.SIGNAL_OFFSET),
                                code,
                                slots.get(JAVA_LONG, slot + RingLayout.VALUE)),
                pe);
    }

    /// Copies pieces from the device and puts them. Returns whether all are on their way.
    private boolean putStaged(long slot, RingBlock target, long offset, long address, long bytes, int pe) {
        while (true) {
            if (steps == 0) {
                pieceBytes = Math.min(bytes - stagedBytes, staging.byteSize());
                access.startToHost(address + stagedBytes, staging.asSlice(0, pieceBytes));
                steps = 1;
            }
            if (steps == 1) {
                if (!access.hasCopied()) {
                    return false;
                }
                boolean isLast = stagedBytes + pieceBytes == bytes; // which takes the signal along
                pieceTicket = isLast
                        ? put(slot, target, offset + stagedBytes, staging, 0, pieceBytes, pe)
                        : target.bytes.putNbi(offset + stagedBytes, staging, 0, pieceBytes, pe);
                steps = 2;
            }
            if (!isComplete(pieceTicket)) {
                return false;
            }
            if (endPiece(bytes)) {
                return true;
            }
        }
    }

    /// Gets pieces and copies them to the device. Returns whether all have arrived.
    private boolean getStaged(RingBlock source, long offset, long address, long bytes, int pe) {
        while (true) {
            if (steps == 0) {
                pieceBytes = Math.min(bytes - stagedBytes, staging.byteSize());
                pieceTicket = source.bytes.getNbi(offset + stagedBytes, staging, 0, pieceBytes, pe);
                steps = 1;
            }
            if (steps == 1) {
                if (!isComplete(pieceTicket)) {
                    return false;
                }
                access.startToDevice(staging.asSlice(0, pieceBytes), address + stagedBytes);
                steps = 2;
            }
            if (!access.hasCopied()) {
                return false;
            }
            if (endPiece(bytes)) {
                return true;
            }
        }
    }

    private boolean endPiece(long bytes) {
        steps = 0;
        stagedBytes += pieceBytes;
        if (stagedBytes < bytes) {
            return false;
        }
        stagedBytes = 0;
        started(0);
        return true;
    }

    private boolean isComplete(long ticket) {
        return ticket == 0 || context.isComplete(ticket);
    }

    private long putValue(long slot) {
        // the slot keeps the value until the ticket is complete
        return put(
                slot,
                block(slot, RingLayout.MEMORY),
                slots.get(JAVA_LONG, slot + RingLayout.OFFSET),
                slots,
                slot + RingLayout.LOCAL,
                slots.get(JAVA_BYTE, slot + RingLayout.WIDTH),
                slots.get(JAVA_INT, slot + RingLayout.PE));
    }

    private void signal(long slot) {
        RingBlock target = block(slot, RingLayout.MEMORY);
        long index = slots.get(JAVA_LONG, slot + RingLayout.OFFSET) / Long.BYTES;
        long value = slots.get(JAVA_LONG, slot + RingLayout.VALUE);
        int pe = slots.get(JAVA_INT, slot + RingLayout.PE);
        if (slots.get(JAVA_BYTE, slot + RingLayout.CODE) == RingLayout.SIGNAL_ADD) {
            target.longs.add(index, value, pe);
        } else {
            target.longs.setRelease(index, value, pe);
        }
    }

    private long atomic(long slot) {
        int width = slots.get(JAVA_BYTE, slot + RingLayout.WIDTH);
        byte kind = slots.get(JAVA_BYTE, slot + RingLayout.CODE);
        if (kind == RingLayout.ATOMIC_ADD_BFLOAT16) {
            addNarrow(slot, block(slot, RingLayout.MEMORY).bfloat16s);
            return 0;
        }
        if (kind == RingLayout.ATOMIC_ADD_FLOATING) {
            if (width == Short.BYTES) {
                addNarrow(slot, block(slot, RingLayout.MEMORY).halves);
                return 0;
            }
            return addFloating(slot);
        }
        RingBlock target = block(slot, RingLayout.MEMORY);
        var view = width == Integer.BYTES ? target.ints : target.longs;
        long index = slots.get(JAVA_LONG, slot + RingLayout.OFFSET) / width;
        long operand = slots.get(JAVA_LONG, slot + RingLayout.LOCAL);
        int pe = slots.get(JAVA_INT, slot + RingLayout.PE);
        int code = slots.get(JAVA_BYTE, slot + RingLayout.CODE);
        if (slots.get(JAVA_BYTE, slot + RingLayout.ANSWER) != 0) {
            long at = (slot + RingLayout.VALUE) / width;
            if (code == RingLayout.ATOMIC_COMPARE_SWAP) {
                long expected = slots.get(JAVA_LONG, slot + RingLayout.BYTES);
                return view.compareAndExchangeNbi(index, expected, operand, slots, at, pe);
            }
            return view.fetchNbi(fetching(slot, code), index, operand, slots, at, pe);
        }
        switch (code) {
            case RingLayout.ATOMIC_SET -> view.setRelease(index, operand, pe);
            case RingLayout.ATOMIC_ADD -> view.add(index, operand, pe);
            case RingLayout.ATOMIC_AND -> view.and(index, operand, pe);
            case RingLayout.ATOMIC_OR -> view.or(index, operand, pe);
            case RingLayout.ATOMIC_XOR -> view.xor(index, operand, pe);
            default -> throw unknown(slot);
        }
        return 0;
    }

    /// Adds to a number of 16 bits, which are in the low bytes of the operand.
    private void addNarrow(long slot, NarrowFloatView view) {
        long index = slots.get(JAVA_LONG, slot + RingLayout.OFFSET) / Short.BYTES;
        short bits = slots.get(JAVA_SHORT, slot + RingLayout.LOCAL);
        boolean isHalf = view.type() == ElementType.HALF;
        float operand = isHalf ? Float.float16ToFloat(bits) : Bfloat16.toFloat(bits);
        float former = view.getAndAdd(index, operand, slots.get(JAVA_INT, slot + RingLayout.PE));
        if (slots.get(JAVA_BYTE, slot + RingLayout.ANSWER) != 0) {
            short answer = isHalf ? Float.floatToFloat16(former) : Bfloat16.of(former);
            slots.set(JAVA_LONG, slot + RingLayout.VALUE, Short.toUnsignedLong(answer));
        }
    }

    /// Adds to a `float` or a `double`, whose bits are in the low bytes of the operand.
    private long addFloating(long slot) {
        int width = slots.get(JAVA_BYTE, slot + RingLayout.WIDTH);
        RingBlock target = block(slot, RingLayout.MEMORY);
        long index = slots.get(JAVA_LONG, slot + RingLayout.OFFSET) / width;
        long bits = slots.get(JAVA_LONG, slot + RingLayout.LOCAL);
        int pe = slots.get(JAVA_INT, slot + RingLayout.PE);
        boolean fetches = slots.get(JAVA_BYTE, slot + RingLayout.ANSWER) != 0;
        long at = (slot + RingLayout.VALUE) / width;
        if (width == Float.BYTES) {
            float operand = Float.intBitsToFloat((int) bits);
            if (fetches) {
                return target.floats.fetchNbi(AtomicOperation.ADD, index, operand, slots, at, pe);
            }
            target.floats.add(index, operand, pe);
        } else {
            double operand = Double.longBitsToDouble(bits);
            if (fetches) {
                return target.doubles.fetchNbi(AtomicOperation.ADD, index, operand, slots, at, pe);
            }
            target.doubles.add(index, operand, pe);
        }
        return 0;
    }

    private AtomicOperation fetching(long slot, int code) {
        return switch (code) {
            case RingLayout.ATOMIC_FETCH -> AtomicOperation.FETCH;
            case RingLayout.ATOMIC_SWAP -> AtomicOperation.SWAP;
            case RingLayout.ATOMIC_ADD -> AtomicOperation.ADD;
            case RingLayout.ATOMIC_AND -> AtomicOperation.AND;
            case RingLayout.ATOMIC_OR -> AtomicOperation.OR;
            case RingLayout.ATOMIC_XOR -> AtomicOperation.XOR;
            default -> throw unknown(slot);
        };
    }

    private RingBlock block(long slot, long field) {
        int number = Short.toUnsignedInt(slots.get(JAVA_SHORT, slot + field));
        RingBlock found = number < blocks.length ? blocks[number] : null;
        if (found == null) {
            throw new IllegalStateException("ring of kernels: descriptor " + taken + " names block " + number
                    + " of memory; blocks of host memory have numbers below " + blocks.length);
        }
        return found;
    }

    private @Nullable RingBlock find(long address, long bytes) {
        for (int i = 0; i < blocks.length; i++) {
            RingBlock each = blocks[i];
            if (each != null && each.contains(address, bytes)) {
                return each;
            }
        }
        return null;
    }

    private IllegalStateException unknown(long slot) {
        return new IllegalStateException("ring of kernels: descriptor " + taken + " has operation "
                + slots.get(JAVA_BYTE, slot + RingLayout.OPERATION) + ", code "
                + slots.get(JAVA_BYTE, slot + RingLayout.CODE) + "; the header has version " + DeviceLayouts.VERSION
                + " of the ring");
    }
}
