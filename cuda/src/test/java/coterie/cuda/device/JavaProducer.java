// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static coterie.cuda.device.DeviceLayouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.cuda.DeviceError;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.function.BiFunction;

/// A producer of the ring in Java: it reads the team's image as a kernel does, and does all by the ring, also what a
/// kernel would do by loads and stores. Any number of threads.
@SuppressWarnings("ThreadPriorityCheck") // producers outnumber the processors, as threads of a device do not
public final class JavaProducer {
    private final MemorySegment team;
    private final MemorySegment tail;
    private final MemorySegment slots;
    private final MemorySegment published;
    private final MemorySegment error;
    private final MemorySegment abort;
    private final long capacity;

    JavaProducer(long address) {
        this(address, HostDevice::at);
    }

    /// @param memory returns the bytes at an address of the device
    public JavaProducer(long address, BiFunction<Long, Long, MemorySegment> memory) {
        team = memory.apply(address, DeviceLayouts.TEAM.byteSize());
        capacity = team("capacity");
        tail = memory.apply(team("counters"), (long) Long.BYTES);
        slots = memory.apply(team("slots"), capacity * RingLayout.SLOT_BYTES);
        published = memory.apply(team("published"), DeviceLayouts.PUBLISHED.byteSize());
        error = memory.apply(team("error"), DeviceLayouts.ERROR.byteSize());
        abort = memory.apply(team("abort_word"), (long) Long.BYTES);
    }

    /// Records an error as a kernel does that has been given a wrong PE.
    public void failWithPe(int pe) {
        error.set(JAVA_LONG, offset(DeviceLayouts.ERROR, "operation"), RingLayout.PUT);
        error.set(JAVA_LONG, offset(DeviceLayouts.ERROR, "found"), pe);
        error.set(JAVA_LONG, offset(DeviceLayouts.ERROR, "expected"), teamInt("size"));
        RingLayout.release(error, offset(DeviceLayouts.ERROR, "code"), DeviceError.BAD_PE.code());
    }

    public boolean isAborted() {
        return RingLayout.acquire(abort, 0) != 0;
    }

    long team(String field) {
        return field(team, 0, DeviceLayouts.TEAM, field);
    }

    int teamInt(String field) {
        return team.get(JAVA_INT, offset(DeviceLayouts.TEAM, field));
    }

    /// Returns a field of the entry of a block.
    long block(int number, String field) {
        long entry = number * DeviceLayouts.MEMORY.byteSize();
        MemorySegment blocks = HostDevice.at(team("memories"), entry + DeviceLayouts.MEMORY.byteSize());
        return field(blocks, entry, DeviceLayouts.MEMORY, field);
    }

    private static long field(MemorySegment memory, long at, StructLayout struct, String name) {
        return memory.get(JAVA_LONG, at + offset(struct, name));
    }

    long completed() {
        return RingLayout.acquire(published, RingLayout.COMPLETED);
    }

    long freed() {
        return RingLayout.acquire(published, RingLayout.FREED);
    }

    /// A descriptor: fields that an operation does not have stay 0.
    public record Descriptor(
            int operation,
            int code,
            int width,
            boolean answers,
            int memory,
            int pe,
            long offset,
            long local,
            long bytes) {
        public static Descriptor put(long offset, long local, long bytes, int pe) {
            return new Descriptor(RingLayout.PUT, 0, 1, false, KernelFixture.BLOCK, pe, offset, local, bytes);
        }

        public static Descriptor get(long offset, long local, long bytes, int pe) {
            return new Descriptor(RingLayout.GET, 0, 1, false, KernelFixture.BLOCK, pe, offset, local, bytes);
        }

        public static Descriptor atomic(
                int code, int width, boolean answers, long offset, long operand, long expected, int pe) {
            return new Descriptor(
                    RingLayout.ATOMIC, code, width, answers, KernelFixture.BLOCK, pe, offset, operand, expected);
        }

        public static Descriptor of(int operation) {
            return new Descriptor(operation, 0, 1, false, 0, 0, 0, 0, 0);
        }
    }

    /// Takes a ticket, waits until its slot is free, and publishes a descriptor.
    ///
    /// @param signalOffset in the same block
    public long post(Descriptor what, long signalOffset, long value) {
        long ticket = (long) RingLayout.WORD.getAndAdd(tail, 0L, 1L);
        while (ticket >= freed() + capacity) {
            Thread.yield();
        }
        long slot = slot(ticket);
        slots.set(JAVA_BYTE, slot + RingLayout.OPERATION, (byte) what.operation());
        slots.set(JAVA_BYTE, slot + RingLayout.CODE, (byte) what.code());
        slots.set(JAVA_BYTE, slot + RingLayout.WIDTH, (byte) what.width());
        slots.set(JAVA_BYTE, slot + RingLayout.ANSWER, (byte) (what.answers() ? 1 : 0));
        slots.set(JAVA_SHORT, slot + RingLayout.MEMORY, (short) what.memory());
        slots.set(JAVA_SHORT, slot + RingLayout.SIGNAL_MEMORY, (short) what.memory());
        slots.set(JAVA_INT, slot + RingLayout.PE, what.pe());
        slots.set(JAVA_LONG, slot + RingLayout.OFFSET, what.offset());
        slots.set(JAVA_LONG, slot + RingLayout.LOCAL, what.local());
        slots.set(JAVA_LONG, slot + RingLayout.BYTES, what.bytes());
        slots.set(JAVA_LONG, slot + RingLayout.SIGNAL_OFFSET, signalOffset);
        slots.set(JAVA_LONG, slot + RingLayout.VALUE, value);
        RingLayout.release(slots, slot, ticket + 1);
        return ticket;
    }

    public long post(Descriptor what) {
        return post(what, 0, 0);
    }

    public void await(long ticket) {
        while (completed() <= ticket) {
            Thread.yield();
        }
    }

    /// Posts a descriptor with an answer, waits for the answer, and frees the slot.
    public long ask(Descriptor what) {
        long ticket = post(what);
        await(ticket);
        long answer = slots.get(JAVA_LONG, slot(ticket) + RingLayout.VALUE);
        RingLayout.release(slots, slot(ticket), ticket + 2);
        return answer;
    }

    private long slot(long ticket) {
        return (ticket & (capacity - 1)) * RingLayout.SLOT_BYTES;
    }
}
