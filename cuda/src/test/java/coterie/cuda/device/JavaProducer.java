// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static coterie.cuda.device.DeviceLayouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// A producer of the ring in Java: it reads the team's image as a kernel does, and does all by the ring, also what a
/// kernel would do by loads and stores. Any number of threads.
@SuppressWarnings("ThreadPriorityCheck") // producers outnumber the processors, as threads of a device do not
final class JavaProducer {
    private final MemorySegment team;
    private final MemorySegment tail;
    private final MemorySegment slots;
    private final MemorySegment published;
    private final long capacity;

    JavaProducer(long address) {
        team = HostDevice.at(address, DeviceLayouts.TEAM.byteSize());
        capacity = team("capacity");
        tail = HostDevice.at(team("counters"), Long.BYTES);
        slots = HostDevice.at(team("slots"), capacity * RingLayout.SLOT_BYTES);
        published = HostDevice.at(team("published"), DeviceLayouts.PUBLISHED.byteSize());
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
    record Descriptor(
            int operation,
            int code,
            int width,
            boolean answers,
            int memory,
            int pe,
            long offset,
            long local,
            long bytes) {
        static Descriptor put(long offset, long local, long bytes, int pe) {
            return new Descriptor(RingLayout.PUT, 0, 1, false, KernelFixture.BLOCK, pe, offset, local, bytes);
        }

        static Descriptor get(long offset, long local, long bytes, int pe) {
            return new Descriptor(RingLayout.GET, 0, 1, false, KernelFixture.BLOCK, pe, offset, local, bytes);
        }

        static Descriptor atomic(
                int code, int width, boolean answers, long offset, long operand, long expected, int pe) {
            return new Descriptor(
                    RingLayout.ATOMIC, code, width, answers, KernelFixture.BLOCK, pe, offset, operand, expected);
        }

        static Descriptor of(int operation) {
            return new Descriptor(operation, 0, 1, false, 0, 0, 0, 0, 0);
        }
    }

    /// Takes a ticket, waits until its slot is free, and publishes a descriptor.
    ///
    /// @param signalOffset in the same block
    long post(Descriptor what, long signalOffset, long value) {
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

    long post(Descriptor what) {
        return post(what, 0, 0);
    }

    void await(long ticket) {
        while (completed() <= ticket) {
            Thread.yield();
        }
    }

    /// Posts a descriptor with an answer, waits for the answer, and frees the slot.
    long ask(Descriptor what) {
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
