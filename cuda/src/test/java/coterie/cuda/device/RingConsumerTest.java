// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Bfloat16;
import coterie.Comparison;
import coterie.World;
import coterie.cuda.device.HostDevice.Reach;
import coterie.cuda.device.JavaProducer.Descriptor;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.testing.AllCompilers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;

/// The ring's consumer, driven by a producer in Java.
@ExtendWith(AllCompilers.class)
class RingConsumerTest {

    @SpmdTest(pes = {1, 3})
    @DisplayName("the image has the team's numbers, tables and addresses")
    void image(World world) {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.NODE)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            assertThat(producer.teamInt("version")).isEqualTo(DeviceLayouts.VERSION);
            assertThat(producer.teamInt("pe")).isEqualTo(world.pe());
            assertThat(producer.teamInt("size")).isEqualTo(world.size());
            assertThat(producer.teamInt("memories_count")).isEqualTo(2);
            assertThat(producer.team("capacity")).isEqualTo(16);
            assertThat(producer.block(1, "bytes")).isEqualTo(KernelFixture.BYTES);
            assertThat(producer.block(1, "in_ring")).isEqualTo(1);
            long table = (long) world.size() * Long.BYTES;
            MemorySegment bases = HostDevice.at(producer.block(1, "bases"), table);
            MemorySegment atomics = HostDevice.at(producer.block(1, "atomics"), table);
            for (int pe = 0; pe < world.size(); pe++) {
                assertThat(bases.getAtIndex(JAVA_LONG, pe))
                        .isEqualTo(kernels.memory.segment(pe).orElseThrow().address());
                assertThat(atomics.getAtIndex(JAVA_LONG, pe)).isZero();
            }
            kernels.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("puts of all sizes arrive whole, from registered memory and from memory of the device alone")
    void puts(World world) {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN);
                Arena arena = Arena.ofConfined()) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            long half = KernelFixture.BYTES / 2;
            Random random = new Random(world.pe());
            byte[] bytes = new byte[100_000];
            random.nextBytes(bytes);
            MemorySegment device = arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
            kernels.own(half, bytes.length).copyFrom(device);
            long[] sizes = {0, 1, 7, 8, 4096, 99_999};
            for (long size : sizes) {
                producer.await(producer.post(Descriptor.put(8, device.address(), size, kernels.right)));
                producer.await(producer.post(
                        Descriptor.put(200_000, kernels.own(half, 1).address(), size, kernels.right)));
            }
            producer.await(producer.post(Descriptor.of(RingLayout.QUIET)));
            kernels.barrier();
            byte[] expected = new byte[100_000];
            new Random((world.pe() + 1) % 2).nextBytes(expected);
            for (long at : new long[] {8, 200_000}) {
                assertThat(kernels.own(at, 99_999)
                                .mismatch(MemorySegment.ofArray(expected).asSlice(0, 99_999)))
                        .isEqualTo(-1);
                assertThat(kernels.own(at + 99_999, 1).get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
                        .isZero();
            }
            kernels.checkNoError();
            kernels.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a staged put or get of several pieces arrives whole")
    void pieces(World world) {
        int bytes = 3_000_001;
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN);
                Arena arena = Arena.ofConfined()) {
            var large = world.allocate(bytes);
            DeviceBlock block = DeviceBlock.ofHost(large, new long[world.size()], false);
            try (KernelTeam team = KernelTeam.create(
                    world, world.team(), KernelFixture.OPTIONS, kernels.device, java.util.List.of(block))) {
                JavaProducer producer = new JavaProducer(team.address());
                MemorySegment source = arena.allocate(bytes);
                MemorySegment target = arena.allocate(bytes);
                byte[] random = new byte[bytes];
                new Random(5).nextBytes(random);
                source.copyFrom(MemorySegment.ofArray(random));
                producer.await(producer.post(Descriptor.put(0, source.address(), bytes, kernels.right)));
                producer.await(producer.post(Descriptor.get(0, target.address(), bytes, kernels.right)));
                assertThat(target.mismatch(source)).isEqualTo(-1);
                kernels.barrier();
                assertThat(large.segment().mismatch(source)).isEqualTo(-1);
                kernels.barrier();
            }
            large.close();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("fetching atomics of 4 and 8 bytes return the former value; slots of answers come free")
    void atomics(World world) {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            int pe = kernels.right;
            for (int width : new int[] {4, 8}) {
                long at = 64L * width;
                long ones = width == 4 ? 0xFFFF_FFFFL : -1;
                assertThat(ask(producer, RingLayout.ATOMIC_SWAP, width, at, ones, 0, pe))
                        .isZero();
                assertThat(ask(producer, RingLayout.ATOMIC_ADD, width, at, 3, 0, pe))
                        .isEqualTo(ones);
                assertThat(ask(producer, RingLayout.ATOMIC_OR, width, at, 12, 0, pe))
                        .isEqualTo(2);
                assertThat(ask(producer, RingLayout.ATOMIC_AND, width, at, 6, 0, pe))
                        .isEqualTo(14);
                assertThat(ask(producer, RingLayout.ATOMIC_XOR, width, at, 5, 0, pe))
                        .isEqualTo(6);
                assertThat(ask(producer, RingLayout.ATOMIC_COMPARE_SWAP, width, at, 9, 4, pe))
                        .isEqualTo(3);
                assertThat(ask(producer, RingLayout.ATOMIC_COMPARE_SWAP, width, at, 9, 3, pe))
                        .isEqualTo(3);
                assertThat(ask(producer, RingLayout.ATOMIC_FETCH, width, at, 77, 0, pe))
                        .isEqualTo(9);
                producer.post(Descriptor.atomic(RingLayout.ATOMIC_ADD, width, false, at, 1, 0, pe));
                producer.post(Descriptor.atomic(RingLayout.ATOMIC_OR, width, false, at, 16, 0, pe));
                producer.post(Descriptor.atomic(RingLayout.ATOMIC_XOR, width, false, at, 2, 0, pe));
                producer.post(Descriptor.atomic(RingLayout.ATOMIC_AND, width, false, at, 24, 0, pe));
                assertThat(ask(producer, RingLayout.ATOMIC_FETCH, width, at, 0, 0, pe))
                        .isEqualTo(24);
                producer.post(Descriptor.atomic(RingLayout.ATOMIC_SET, width, false, at, 5, 0, pe));
                assertThat(ask(producer, RingLayout.ATOMIC_FETCH, width, at, 0, 0, pe))
                        .isEqualTo(5);
            }
            kernels.checkNoError();
            kernels.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("numbers of 4 and 8 bytes are added as such, and the former number is returned")
    void floatingAtomics(World world) {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            int pe = kernels.right;
            int add = RingLayout.ATOMIC_ADD_FLOATING;
            long single = Float.floatToIntBits(1.5f) & 0xFFFF_FFFFL;
            producer.post(Descriptor.atomic(add, 4, false, 260, single, 0, pe));
            assertThat(ask(producer, add, 4, 260, single, 0, pe)).isEqualTo(single);
            assertThat(ask(producer, RingLayout.ATOMIC_FETCH, 4, 260, 0, 0, pe)).isEqualTo(Float.floatToIntBits(3f));
            long number = Double.doubleToLongBits(-0.25);
            producer.post(Descriptor.atomic(add, 8, false, 512, number, 0, pe));
            assertThat(ask(producer, add, 8, 512, number, 0, pe)).isEqualTo(number);
            assertThat(ask(producer, RingLayout.ATOMIC_FETCH, 8, 512, 0, 0, pe))
                    .isEqualTo(Double.doubleToLongBits(-0.5));
            kernels.barrier();
            assertThat(kernels.memory.ints().get(64))
                    .as("the word beside the float")
                    .isZero();
            kernels.checkNoError();
            kernels.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("numbers of 16 bits are added as such, and rounded; the ones beside them stay")
    void narrowAtomics(World world) {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            int pe = kernels.right;
            long half = Short.toUnsignedLong(Float.floatToFloat16(-1.5f));
            long brain = Short.toUnsignedLong(Bfloat16.of(-1.5f));
            for (long at : new long[] {260, 266}) { // in the low and in the high bits of 4 bytes
                producer.post(Descriptor.atomic(RingLayout.ATOMIC_ADD_FLOATING, 2, false, at, half, 0, pe));
                assertThat(ask(producer, RingLayout.ATOMIC_ADD_FLOATING, 2, at, half, 0, pe))
                        .isEqualTo(half);
                producer.post(Descriptor.atomic(RingLayout.ATOMIC_ADD_BFLOAT16, 2, false, at + 64, brain, 0, pe));
                assertThat(ask(producer, RingLayout.ATOMIC_ADD_BFLOAT16, 2, at + 64, brain, 0, pe))
                        .isEqualTo(brain);
            }
            producer.post(Descriptor.of(RingLayout.QUIET));
            ask(producer, RingLayout.ATOMIC_FETCH, 4, 0, 0, 0, pe);
            kernels.barrier();
            for (long at : new long[] {260, 266}) {
                long beside = at == 260 ? 262 : 264;
                assertThat(kernels.memory.halves().get(at / 2)).isEqualTo(-3);
                assertThat(kernels.memory.halves().get(beside / 2)).isZero();
                assertThat(kernels.memory.bfloat16s().get((at + 64) / 2)).isEqualTo(-3);
                assertThat(kernels.memory.bfloat16s().get((beside + 64) / 2)).isZero();
            }
            kernels.checkNoError();
            kernels.barrier();
        }
    }

    private static long ask(JavaProducer producer, int code, int width, long at, long operand, long expected, int pe) {
        return producer.ask(Descriptor.atomic(code, width, true, at, operand, expected, pe));
    }

    @SpmdTest(pes = 2)
    @DisplayName("a slot with an answer stays taken until its producer has read the answer")
    void answersAreKept(World world) throws InterruptedException {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            Descriptor fetch = Descriptor.atomic(RingLayout.ATOMIC_FETCH, 8, true, 0, 0, 0, kernels.right);
            long unread = producer.post(fetch);
            producer.await(unread);
            Thread others = new Thread(() -> {
                for (int i = 0; i < 40; i++) {
                    producer.post(Descriptor.of(RingLayout.FENCE));
                }
            });
            others.start();
            producer.await(unread + 15); // the rest of the ring
            assertThat(producer.freed()).isEqualTo(unread);
            RingLayout.release(
                    HostDevice.at(producer.team("slots"), 16 * RingLayout.SLOT_BYTES),
                    (unread & 15) * RingLayout.SLOT_BYTES,
                    unread + 2);
            others.join();
            producer.await(unread + 40);
            kernels.barrier();
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, nodes = "a:1,b:1")
    @DisplayName("puts with signals, gets and atomics reach a PE of another node")
    void otherNode(World world) {
        signalled(world, 2_000);
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 120)
    @DisplayName("a signal comes after the bytes of its put, in a million rounds of the soak tier")
    void litmus(World world) {
        signalled(world, KernelFixture.rounds(1_000_000));
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 120)
    @DisplayName("the same with PEs that are threads")
    void threadsLitmus(World world) {
        signalled(world, KernelFixture.rounds(1_000_000));
    }

    /// PE 0 puts a number to four places, with a signal; PE 1 waits for the signal, checks them, and acknowledges.
    private static void signalled(World world, int rounds) {
        long line = 64;
        long arrived = 1024;
        long window = 8;
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            long source = kernels.own(4096, 1).address();
            if (world.pe() == 0) {
                for (long round = 1; round <= rounds; round++) {
                    long place = round % window * line;
                    for (int i = 0; i < 4; i++) {
                        kernels.own(4096 + place, 32).setAtIndex(JAVA_LONG, i, round);
                    }
                    Descriptor put = new Descriptor(
                            RingLayout.PUT, RingLayout.SIGNAL_SET, 1, false, 1, 1, 8192 + place, source + place, 32);
                    long ticket = producer.post(put, arrived, round);
                    if (round % window == 0) {
                        producer.await(ticket);
                        kernels.memory.signal(0).waitUntil(Comparison.GE, round);
                    }
                }
            } else {
                for (long round = 1; round <= rounds; round++) {
                    kernels.memory.signal(arrived / 8).waitUntil(Comparison.GE, round);
                    long place = round % window * line;
                    for (int i = 0; i < 4; i++) {
                        long found = kernels.own(8192 + place, 32).getAtIndex(JAVA_LONG, i);
                        if (found < round) {
                            throw new AssertionError("round " + round + ": word " + i + " is " + found);
                        }
                    }
                    if (round % window == 0) {
                        producer.post(
                                new Descriptor(RingLayout.SIGNAL, RingLayout.SIGNAL_SET, 8, false, 1, 0, 0, 0, 0),
                                0,
                                round);
                    }
                }
                assertThat(producer.ask(Descriptor.atomic(RingLayout.ATOMIC_FETCH, 8, true, 0, 0, 0, 0)))
                        .isEqualTo(rounds - rounds % window);
            }
            kernels.checkNoError();
            kernels.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("four threads add to one word of another PE: none is lost, and none comes before its turn")
    void threads(World world) throws InterruptedException {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            Thread[] threads = new Thread[4];
            int each = 2_000;
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    long before = -1;
                    for (int k = 0; k < each; k++) {
                        long former =
                                producer.ask(Descriptor.atomic(RingLayout.ATOMIC_ADD, 8, true, 0, 1, 0, kernels.right));
                        if (former <= before) {
                            throw new AssertionError(former + " after " + before);
                        }
                        before = former;
                    }
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            kernels.barrier();
            assertThat(kernels.memory.longs().get(0)).isEqualTo(4L * each);
            kernels.checkNoError();
            kernels.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a counter counts after the operations before it; completions come in order")
    void counters(World world) {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            MemorySegment counts = HostDevice.at(producer.team("completions"), 64);
            for (int i = 1; i <= 100; i++) {
                producer.post(Descriptor.put(0, kernels.own(512, 1).address(), 64, kernels.right));
                long ticket = producer.post(new Descriptor(RingLayout.COUNT, 0, 8, false, 0, 0, 16, 0, 0), 0, 1);
                producer.await(ticket);
                assertThat(RingLayout.acquire(counts, 16)).isEqualTo(i);
            }
            kernels.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a descriptor that core refuses ends the consumer, aborts the kernels, and keeps the reason")
    void refused(World world) {
        try (KernelFixture kernels = KernelFixture.open(world, Reach.OWN)) {
            JavaProducer producer = new JavaProducer(kernels.team.address());
            MemorySegment abort = HostDevice.at(producer.team("abort_word"), 8);
            if (world.pe() == 0) {
                producer.post(Descriptor.put(
                        KernelFixture.BYTES - 4, kernels.own(0, 1).address(), 8, 1));
            } else {
                producer.post(new Descriptor(99, 0, 1, false, 1, 0, 0, 0, 0));
            }
            world.progressUntil(() -> RingLayout.acquire(abort, 0) != 0);
            assertThat(kernels.team.ringFailure())
                    .isInstanceOf(world.pe() == 0 ? IndexOutOfBoundsException.class : IllegalStateException.class)
                    .hasMessageContaining(world.pe() == 0 ? "put" : "operation 99");
            assertThat(producer.completed()).isZero();
            kernels.barrier();
        }
    }
}
